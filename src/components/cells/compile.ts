import { CellError, type TranspiledCell } from "./transpile.js";

/** A cell's body, ready to be called. */
export type CellBody = (...inputs: unknown[]) => unknown;

/**
 * Makes a function of a transpiled cell. It is loaded as a module, which a page may do whose policy forbids to evaluate
 * text.
 * @throws CellError if the browser does not understand it
 */
export async function compileCell({ body }: TranspiledCell): Promise<CellBody> {
  const code = `export default ${body}\n//# sourceURL=${sourceName(++compiled)}`;
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  try {
    return (await import(url)).default;
  } catch (error) {
    throw new CellError(`${(error as Error).message}.`);
  } finally {
    URL.revokeObjectURL(url);
  }
}

let compiled = 0;

const sourceName = (number: number | string) => `splatbook-cell-${number}.js`;

/** Where in a cell an error was thrown, as far as its stack tells. */
export function thrown(error: unknown): CellError {
  if (error instanceof CellError) return error;
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const [, line, column] = new RegExp(`${sourceName("\\d+")}:(\\d+):(\\d+)`).exec(stack ?? "") ?? [];
  const sentence = `${name === "Error" || name === "RuntimeError" ? "" : `${name}: `}${message.replace(/\.?$/, ".")}`;
  return new CellError(sentence, line ? Number(line) : undefined, column ? Number(column) : undefined);
}
