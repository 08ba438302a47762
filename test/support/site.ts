import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../src/host/node/install.js";
import { dist } from "../../src/site/framework.js";

/** The sources of the site, installed packages included. */
const sources = ["src", "shaders", "data", "observablehq.config.ts", "package.json", "node_modules/.package-lock.json"];

/**
 * Builds the site as `npm run build` does, unless it is up to date.
 * @param signal ends the build
 * @returns the site's folder
 * @throws Error with the output of a failed build
 */
export async function buildSite(signal?: AbortSignal): Promise<string> {
  if (isCurrent()) return dist;
  const child = spawn(process.execPath, [join(projectRoot, "src", "site", "framework.js"), "build"], {
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => (code === 0 ? done(dist) : fail(new Error(`the site does not build:\n${output}`))));
  });
}

/** Returns whether a built site is up to date: neither a source nor a folder of sources, which deletions change, is newer. */
function isCurrent(site = dist, inputs = sources.map((path) => join(projectRoot, path))): boolean {
  const builtAt = statSync(site, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isOlder = (path: string): boolean => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.mtimeMs >= builtAt) return false;
    if (!stats.isDirectory()) return true;
    return readdirSync(path).every((name) => isOlder(join(path, name)));
  };
  return inputs.every(isOlder);
}
