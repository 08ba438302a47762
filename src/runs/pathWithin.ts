import { join, sep } from "node:path";
import { quoted } from "../engine/quoted.js";
import { Failure } from "../terminal/failure.js";

const separator = sep === "\\" ? /[/\\]/ : /\//;

/**
 * Returns the path of a file below a folder. Names come from other machines and programs.
 * @throws Failure if its name leads out of the folder
 */
export function pathWithin(folder: string, name: string): string {
  const isOutside = (part: string) => ["", ".", ".."].includes(part) || (sep === "\\" && part.includes(":"));
  if (typeof name === "string" && !name.includes("\0") && !name.split(separator).some(isOutside))
    return join(folder, name);
  throw new Failure(`${quoted(name)} must be the name of a file in ${folder}, without ".." or a leading "/".`);
}
