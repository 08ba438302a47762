import { stripTypes } from "../../host/browser/stripTypes.js";
import type { CellLanguage } from "./pageEdits.js";
import { CellError, type TranspiledCell, transpile } from "./transpile.js";

/** A cell as a function of its inputs. */
export interface CompiledCell extends TranspiledCell {
  call(...inputs: unknown[]): unknown;
  /** Returns an error as a sentence, with its place in the source if its stack shows it. */
  explain(error: unknown): CellError;
}

let count = 0;

/**
 * Compiles a cell. Its code is loaded as a module, since the site's policy forbids `eval`.
 * @throws CellError if it cannot be parsed
 */
export async function compile(source: string, language: CellLanguage): Promise<CompiledCell> {
  const cell = transpile(language === "ts" ? await strippedOf(source) : source);
  const name = `splatbook-cell-${++count}.js`;
  const start = "export default ";
  const url = URL.createObjectURL(
    new Blob([`${start}${cell.body}\n//# sourceURL=${name}`], { type: "text/javascript" }),
  );
  const explain = (error: unknown) => {
    const { name: kind, message, stack } = error instanceof Error ? error : new Error(String(error));
    const sentence = `${/^(Runtime)?Error$/.test(kind) ? "" : `${kind}: `}${message.replace(/\.?$/, ".")}`;
    const [, line, column] = new RegExp(`${name}:(\\d+):(\\d+)`).exec(String(stack))?.map(Number) ?? [];
    const shift = line === 1 ? start.length + cell.indent : 0;
    return new CellError(sentence, line, line === undefined ? undefined : Math.max(1, column - shift));
  };
  try {
    return { ...cell, call: (await import(url)).default, explain };
  } catch (error) {
    throw explain(error);
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function strippedOf(source: string): Promise<string> {
  try {
    return await stripTypes(source);
  } catch {
    // JavaScript's parser names the place.
    return source;
  }
}
