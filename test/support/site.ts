import { spawn } from "node:child_process";
import { join } from "node:path";
import { projectRoot } from "../../src/host/node/install.js";
import { dist, isCurrent } from "../../src/site/framework.js";

/**
 * Builds the site as `npm run build` does, unless it is up to date.
 * @returns the site's folder
 * @throws Error with the output of a failed build
 */
export async function buildSite(): Promise<string> {
  if (isCurrent()) return dist;
  const child = spawn(process.execPath, [join(projectRoot, "src", "site", "framework.js"), "build"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => (code === 0 ? done(dist) : fail(new Error(`the site does not build:\n${output}`))));
  });
}
