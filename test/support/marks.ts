import { readFileSync } from "node:fs";
import { blockAt, findDeclaration, type MarkedLine, markedLines } from "../../src/engine/marks.js";

/** Returns the lines of a kernel by its path under shaders/, or of a module by its path under src/engine/. */
function linesOf(file: string): MarkedLine[] {
  return markedLines(readFileSync(`${file.endsWith(".wgsl") ? "shaders" : "src/engine"}/${file}`, "utf8"));
}

/**
 * Returns the marks in an excerpt such as "shared/blend.wgsl#alphaBlend".
 * @throws Error if the file has no excerpt of that name
 */
export function marksIn(excerpt: string): string[] {
  const [file, name] = excerpt.split("#");
  const lines = linesOf(file);
  const first = findDeclaration(lines, name);
  if (first < 0) throw new Error(`${file} has no ${name}.`);
  return blockAt(lines, first).flatMap(({ marks }) => marks);
}
