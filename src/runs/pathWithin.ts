import { join, sep } from "node:path";
import { quoted } from "../engine/quoted.js";
import { Failure } from "../terminal/failure.js";

/** What separates the parts of a path. */
const separator = sep === "\\" ? /[/\\]/ : /\//;

/**
 * Whether a name leads to a place below a folder: each part of it names something there. What other machines and other
 * programs call their files is checked by this before it becomes a path, or a key of S3, whose URLs resolve "..", too.
 */
export function isPathWithin(name: unknown): name is string {
  if (typeof name !== "string" || name.includes("\0")) return false;
  return name
    .split(separator)
    .every((segment) => !["", ".", ".."].includes(segment) && !(sep === "\\" && segment.includes(":")));
}

/**
 * Returns the path of a file below a folder.
 * @throws Failure if its name leads out of the folder
 */
export function pathWithin(folder: string, name: string): string {
  if (isPathWithin(name)) return join(folder, name);
  throw new Failure(`${quoted(name)} must be the name of a file in ${folder}, without ".." or a leading "/".`);
}
