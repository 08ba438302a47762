// @ts-check
// Plain JavaScript that imports only Node's own modules, since it also runs before the packages are installed.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled, projectRoot } from "./install.js";

/** The modules that processes and threads start with: their paths in src/, without the suffix. */
export const entries = [
  "cli/main",
  "farm/trainerProcess",
  "host/node/taskThread",
  "host/node/stageMain",
  "host/node/tableThread",
];

/** How modules are compiled, here and in the npm package. */
export const compilation = {
  bundle: true,
  splitting: true,
  format: /** @type {const} */ ("esm"),
  platform: /** @type {const} */ ("node"),
  target: "node20",
  // Packages that load their own files, or that few commands need.
  external: ["@observablehq/framework", "bullmq", "esbuild", "ioredis", "jsdom", "sharp", "tsx", "webgpu"],
  // CommonJS packages load Node's modules with require.
  banner: { js: 'import { createRequire as ask } from "node:module"; const require = ask(import.meta.url);' },
};

const sources = join(projectRoot, "src");
const bundles = join(projectRoot, "node_modules", ".cache", "splatbook");

/**
 * Imports a module that a process or a thread starts with, from the bundle of the current sources, or from the sources
 * if they cannot be bundled. Threads and child processes use the bundle of their command.
 * @param {string} entry one of `entries`
 */
export async function start(entry) {
  process.env.SPLATBOOK_BUNDLE ??= await currentBundle();
  const bundle = process.env.SPLATBOOK_BUNDLE;
  if (bundle === "") {
    process.env.TSX_DISABLE_CACHE = "1";
    (await import("tsx/esm/api")).register();
    await import(pathToFileURL(join(sources, `${entry}.ts`)).href);
    return;
  }
  // Lets stack traces name lines of the sources. It takes 8 ms, so the command line does it only if a command runs.
  if (entry !== "cli/main") process.setSourceMapsEnabled(true);
  await import(pathToFileURL(join(bundle, `${entry}.js`)).href);
}

/** Returns the folder with the bundle of the current sources; empty if nothing can be written or a source is broken. */
async function currentBundle() {
  const stamp = [projectRoot, latestChange(sources), changeTime(join(projectRoot, "package-lock.json"))].join(" ");
  const bundle = join(bundles, createHash("sha256").update(stamp).digest("hex"));
  try {
    if (!existsSync(bundle)) await makeBundle(bundle);
    utimesSync(bundle, new Date(), new Date());
  } catch {
    // Nothing can be written, or a source cannot be compiled.
  }
  return existsSync(bundle) ? bundle : "";
}

/**
 * Returns the time of the latest change in a folder. Unlike the modification time, it cannot be set, so copies and
 * archives that keep times count as changes.
 * @param {string} folder
 */
function latestChange(folder) {
  let latest = changeTime(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Editors write hidden files.
    if (entry.name.startsWith(".")) continue;
    latest = Math.max(latest, entry.isDirectory() ? latestChange(path) : changeTime(path));
  }
  return latest;
}

const changeTime = (/** @type {string} */ path) => statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;

/**
 * Compiles all entries into a folder, and removes bundles that no command has started from for a week. Until then,
 * processes may load more of their files.
 * @param {string} bundle
 */
async function makeBundle(bundle) {
  ensureInstalled(false);
  const unfinished = join(bundles, crypto.randomUUID());
  const esbuild = await import("esbuild");
  await esbuild.build({
    ...compilation,
    entryPoints: entries.map((entry) => join(sources, `${entry}.ts`)),
    outbase: sources,
    outdir: unfinished,
    // Modules find the files next to them by this address.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(join(sources, "host", "node", "start.js")).href) },
    sourcemap: true,
    sourcesContent: false,
    logLevel: "silent",
  });
  void esbuild.stop();
  // Another process may have been faster.
  if (existsSync(bundle)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, bundle);
  for (const path of readdirSync(bundles).map((name) => join(bundles, name))) {
    if (Date.now() - statSync(path).mtimeMs > 7 * 24 * 3600 * 1000) rmSync(path, { recursive: true, force: true });
  }
}
