import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { it } from "vitest";
import { addToZip } from "../../src/engine/files/zip.js";
import { projectRoot } from "../../src/host/node/install.js";
import { temporaryFolder } from "../cli/command.js";
import { unzip } from "../support/unzip.js";

/**
 * Builds a project with the installed packages and without a network.
 * @param cached folders of the cache that the project's own build has filled, since Framework takes long to bundle packages
 * @returns the folder of the built site
 */
function buildOffline(folder: string, cached: string[]): string {
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"), "junction");
  for (const name of cached) {
    const path = join("src", ".observablehq", "cache", name);
    if (existsSync(join(projectRoot, path))) cpSync(join(projectRoot, path), join(folder, path), { recursive: true });
  }
  const framework = join(projectRoot, "node_modules", "@observablehq", "framework", "dist", "bin", "observable.js");
  const noNetwork = pathToFileURL(join(projectRoot, "test", "support", "noNetwork.js"));
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", noNetwork.href, framework, "build"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, OBSERVABLE_TELEMETRY_DISABLE: "1" },
  });
  assert.equal(status, 0, stdout + stderr);
  return join(folder, "dist");
}

it("the project of a downloaded page builds with Framework as it is", () => {
  const folder = temporaryFolder();
  const loader = ["--import", "tsx", "src/project.zip.ts"];
  const project = execFileSync(process.execPath, loader, { cwd: projectRoot, maxBuffer: 2 ** 26 });
  const page = readFileSync("src/index.md", "utf8").replace("# Fit an image", "# Fit my image");
  unzip(Buffer.from(addToZip([["splatbook/src/index.md", page]], project)), folder);
  assert.ok(!existsSync(join(folder, "splatbook", "src", "kernels.md")));
  const html = readFileSync(join(buildOffline(join(folder, "splatbook"), ["_node", "_npm"]), "index.html"), "utf8");
  assert.ok(html.includes("Fit my image"));
  for (const [, path] of html.matchAll(/(?:href|src)="(\.\/_[^"]+)"/g)) {
    assert.ok(existsSync(join(folder, "splatbook", "dist", path)), path);
  }
});
