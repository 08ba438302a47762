import { spawn } from "node:child_process";
import { join } from "node:path";
import { projectRoot } from "../../src/host/node/install.js";
import { dist, isCurrent } from "../../src/site/framework.js";

/**
 * Runs `npm run build`'s command, unless it has built the site from the sources as they are.
 * @returns the site's folder
 * @throws Error with what it printed when it fails
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
