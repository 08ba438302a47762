import { CellError } from "./cellError.js";
import type { TranspiledCell } from "./transpile.js";

/** A cell's body, ready to be called. */
export type CellBody = (...inputs: unknown[]) => unknown;

/**
 * Makes a function of a transpiled cell. It is loaded as a module, which a page may do whose policy forbids to evaluate
 * text.
 * @throws CellError if the browser does not understand it
 */
export async function compileCell({ body }: TranspiledCell): Promise<{ body: CellBody; number: number }> {
  const number = ++compiledCount;
  const code = `export default ${body}\n//# sourceURL=${sourceName(number)}`;
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

const sourceName = (number: number | string) => `splatbook-cell-${number}.js`;

/** The number of the body in which an error was thrown, as far as its stack tells. */
export function bodyNumberOf(error: unknown): number | undefined {
  return positionIn(error, "\\d+")?.[0];
}

function positionIn(error: unknown, number: number | string): number[] | undefined {
  const stack = String((error as Error | undefined)?.stack);
  return new RegExp(`${sourceName(`(${number})`)}:(\\d+):(\\d+)`).exec(stack)?.slice(1).map(Number);
}

/** An error as a sentence, with the place in a cell's body where it was thrown, as far as its stack tells. */
export function toCellError(error: unknown, number: number): CellError {
  if (error instanceof CellError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const sentence = `${name === "Error" || name === "RuntimeError" ? "" : `${name}: `}${message.replace(/\.?$/, ".")}`;
  const [, line, column] = positionIn(error, number) ?? [];
  // The first line stands behind the names that the body takes.
  return new CellError(sentence, line, line === 1 ? undefined : column);
}
