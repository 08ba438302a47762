import { CellError } from "./cellError.js";
import type { TranspiledCell } from "./transpile.js";

/** A compiled cell's function. */
export type CellBody = (...inputs: unknown[]) => unknown;

/**
 * Returns a transpiled cell as a function, with a number that identifies it in stacks. The code is loaded as a module,
 * since the site's policy forbids `eval`.
 * @throws CellError if the browser cannot parse it
 */
export async function compileCell({ body }: TranspiledCell): Promise<{ body: CellBody; number: number }> {
  const number = ++compiledCount;
  const code = `${codeStart}${body}\n//# sourceURL=${sourceName(number)}`;
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  try {
    return { body: (await import(url)).default, number };
  } catch (error) {
    throw new CellError(`${(error as Error).message}.`);
  } finally {
    URL.revokeObjectURL(url);
  }
}

let compiledCount = 0;

const codeStart = "export default ";

const sourceName = (number: number | string) => `splatbook-cell-${number}.js`;

/** Returns the number of the cell body that threw an error; undefined if its stack does not show it. */
export function bodyNumberOf(error: unknown): number | undefined {
  return positionIn(error, "\\d+")?.[0];
}

function positionIn(error: unknown, number: number | string): number[] | undefined {
  const stack = String((error as Error | undefined)?.stack);
  return new RegExp(`${sourceName(`(${number})`)}:(\\d+):(\\d+)`).exec(stack)?.slice(1).map(Number);
}

/**
 * Returns an error as a sentence, with its position in the cell if the stack shows it.
 * @param indent the number of characters of the body before the cell's source, on its first line
 */
export function toCellError(error: unknown, number: number, indent: number): CellError {
  if (error instanceof CellError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const sentence = `${name === "Error" || name === "RuntimeError" ? "" : `${name}: `}${message.replace(/\.?$/, ".")}`;
  const [, line, column] = positionIn(error, number) ?? [];
  return new CellError(sentence, {
    line,
    column: line === 1 ? Math.max(1, column - codeStart.length - indent) : column,
  });
}
