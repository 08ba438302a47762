// @ts-check
// Runs before anything is loaded or even installed, so it is plain JavaScript and imports nothing but Node itself.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ensureInstalled, projectRoot } from "./install.js";

/** Modules of src/ that processes and threads start with, without their suffix. */
const entries = [
  "cli/main",
  "farm/trainerProcess",
  "host/node/partThread",
  "host/node/regionThread",
  "host/node/stageMain",
  "host/node/tableThread",
];

/** Packages that load files of their own, or that few commands need. */
const external = ["@observablehq/framework", "bullmq", "esbuild", "ioredis", "jsdom", "sharp", "tsx", "webgpu"];

/** What is compiled depends on these too. */
const settings = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  join("node_modules", ".package-lock.json"),
  relative(projectRoot, fileURLToPath(import.meta.url)),
];

/** Milliseconds after which a build that no process uses is removed. */
const unusedFor = 24 * 3600 * 1000;

/**
 * A file that a build was made of: its path from the project's root, its size and the time of its last change.
 * @typedef {[path: string, size: number, mtimeMs: number]} Input
 */

/**
 * Imports a module that a process or a thread starts with. It is compiled, together with what it loads, by the first
 * start after a change of a source file; later starts need neither a compiler nor a TypeScript loader. Threads and
 * processes of a command take the build that the command itself has. Where nothing can be written, the sources are
 * loaded as they are.
 * @param {string} entry one of `entries`
 */
export async function start(entry) {
  const build = process.env.SPLATBOOK_BUILD ?? currentBuild() ?? (await compile());
  process.env.SPLATBOOK_BUILD = build;
  if (build === "") return startFromSource(entry);
  keep(build);
  await import(pathToFileURL(join(build, `${entry}.js`)).href);
}

const builds = () => join(projectRoot, "node_modules", ".cache", "splatbook");

/** The folder of the newest build, if nothing that it was made of has changed. */
function currentBuild() {
  try {
    /** @type {{root: string, build: string, inputs: Input[]}} */
    const { root, build, inputs } = JSON.parse(readFileSync(join(builds(), "newest.json"), "utf8"));
    return root === projectRoot && inputs.every(isUnchanged) ? build : undefined;
  } catch {
    return undefined;
  }
}

/** @param {Input} input */
function isUnchanged([path, size, mtimeMs]) {
  const found = statSync(join(projectRoot, path), { throwIfNoEntry: false });
  return found?.size === size && found.mtimeMs === mtimeMs;
}

/**
 * @param {string} path of a file in the project
 * @returns {Input}
 */
function inputOf(path) {
  const { size, mtimeMs } = statSync(path);
  return [relative(projectRoot, path), size, mtimeMs];
}

/**
 * Compiles all entries into a new folder. Processes that do so at the same time have a folder each.
 * @returns {Promise<string>} the folder; empty where nothing can be written or something cannot be compiled
 */
async function compile() {
  ensureInstalled(false);
  let build = "";
  try {
    const inputs = settings.map((path) => inputOf(join(projectRoot, path)));
    mkdirSync(builds(), { recursive: true });
    build = mkdtempSync(join(builds(), "build-"));
    const esbuild = await import("esbuild");
    await esbuild.build({
      entryPoints: entries.map((entry) => join(projectRoot, "src", `${entry}.ts`)),
      outbase: join(projectRoot, "src"),
      outdir: build,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node20",
      external,
      // Packages in CommonJS ask for Node's modules by require.
      banner: { js: 'import { createRequire as ask } from "node:module"; const require = ask(import.meta.url);' },
      logLevel: "silent",
      plugins: [sources(inputs)],
    });
    void esbuild.stop();
    writeFileSync(join(build, "newest.json"), JSON.stringify({ root: projectRoot, build, inputs }));
    renameSync(join(build, "newest.json"), join(builds(), "newest.json"));
  } catch {
    if (build !== "") rmSync(build, { recursive: true, force: true });
    return "";
  }
  removeUnused();
  return build;
}

/**
 * Reads the project's sources, which keep their own addresses as `import.meta.url`.
 * @param {Input[]} inputs gets each of them, as it was before it was read
 * @returns {import("esbuild").Plugin}
 */
function sources(inputs) {
  return {
    name: "sources",
    setup({ onLoad }) {
      onLoad({ filter: /\.(ts|js|mjs)$/ }, async ({ path }) => {
        if (!path.startsWith(join(projectRoot, "src"))) return undefined;
        inputs.push(inputOf(path));
        const url = JSON.stringify(pathToFileURL(path).href);
        const contents = (await readFile(path, "utf8")).replaceAll("import.meta.url", () => url);
        return { contents, loader: path.endsWith(".ts") ? "ts" : "js" };
      });
    },
  };
}

/**
 * Shows that a build is in use, as long as this process lasts: it loads some of it later.
 * @param {string} build
 */
function keep(build) {
  const touch = () => {
    try {
      utimesSync(build, new Date(), new Date());
    } catch {
      // It belongs to somebody else, who removes it.
    }
  };
  touch();
  setInterval(touch, unusedFor / 24).unref();
}

function removeUnused() {
  for (const name of readdirSync(builds()).filter((name) => name.startsWith("build-"))) {
    const build = join(builds(), name);
    try {
      if (Date.now() - statSync(build).mtimeMs > unusedFor) rmSync(build, { recursive: true, force: true });
    } catch {
      // Another process removes it too.
    }
  }
}

/** @param {string} entry */
async function startFromSource(entry) {
  if (!takesTemporaryFiles()) process.env.TSX_DISABLE_CACHE = "1";
  const { register } = await import("tsx/esm/api");
  register();
  await import(pathToFileURL(join(projectRoot, "src", `${entry}.ts`)).href);
}

/** Where nothing can be written, such as on a read-only disk, the loader would fail for its cache's sake. */
function takesTemporaryFiles() {
  try {
    rmdirSync(mkdtempSync(join(tmpdir(), "splatbook-")));
    return true;
  } catch {
    return false;
  }
}
