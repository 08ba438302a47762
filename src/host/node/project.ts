import { join } from "node:path";
import { lockedVersions } from "./checkout.js";
import { projectRoot } from "./install.js";
import { readShaders } from "./shaderFiles.js";

/** Reads the shaders of this checkout or package. */
export const readLibrary = () => readShaders(join(projectRoot, "shaders"));

let cachedVersions: Record<string, string> | undefined;

/** Returns the versions of splatbook, Node and the packages that determine what a run computes, by name. */
export function versions(): Record<string, string> {
  if (!cachedVersions) {
    const { splatbook, ...packages } = lockedVersions();
    cachedVersions = { splatbook, node: process.versions.node, ...packages };
  }
  return cachedVersions;
}
