import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { projectRoot } from "../../src/host/node/install.js";

/**
 * Bundles modules of src/ into a new folder with an empty page, one file each, for tests of modules that no page uses
 * alone. Workers are modules too.
 * @param modules paths under src/, all in one folder, without extension
 * @returns the folder
 */
export async function bundleModules(...modules: string[]): Promise<string> {
  const parent = join(projectRoot, ".dev");
  mkdirSync(parent, { recursive: true });
  const outdir = mkdtempSync(join(parent, "bundle-"));
  await build({
    entryPoints: modules.map((module) => join(projectRoot, "src", `${module}.ts`)),
    outdir,
    entryNames: "[name]",
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "error",
  });
  writeFileSync(
    join(outdir, "index.html"),
    '<!doctype html><html lang="en"><title>test</title><link rel="icon" href="data:,">',
  );
  return outdir;
}
