import { join, sep } from "node:path";
import { quoted } from "../engine/quoted.js";
import { Failure } from "../terminal/failure.js";

const separator = sep === "\\" ? /[/\\]/ : /\//;

/**
 * Returns whether a relative path stays inside its folder. Names from other machines and programs are checked before
 * they become paths.
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
