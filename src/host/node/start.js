// @ts-check
// Plain JavaScript that imports only Node's own modules, since it also runs before the packages are installed.
import {
  accessSync,
  constants,
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

/** Files besides the sources that a build depends on. */
const settings = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  join("node_modules", ".package-lock.json"),
  relative(projectRoot, fileURLToPath(import.meta.url)),
];

/** Milliseconds after which an unused build is removed. */
const unusedFor = 24 * 3600 * 1000;

/**
 * A file that a build was made from: its path from the project's root, its size and its change time. Unlike the
 * modification time, the change time cannot be set, so copies and archives that keep times count as changes.
 * @typedef {[path: string, size: number, ctimeMs: number]} Input
 */

/**
 * Imports a module that a process or a thread starts with. The first start after a change of a source file compiles
 * all of these modules; later starts need neither a compiler nor a TypeScript loader. Threads and child processes use
 * the same build as their command. If nothing can be written or the sources cannot be compiled, tsx loads them.
 * @param {string} entry one of `entries`
 */
export async function start(entry) {
  const build = process.env.SPLATBOOK_BUILD ?? currentBuild(entry) ?? (await compile());
  process.env.SPLATBOOK_BUILD = build;
  if (build === "") return startFromSource(entry);
  keep(build);
  // Lets stack traces name lines of the sources. It takes 8 ms, so the command line does it only if a command runs.
  if (entry !== "cli/main") process.setSourceMapsEnabled(true);
  await import(pathToFileURL(join(build, `${entry}.js`)).href);
}

const builds = () => join(projectRoot, "node_modules", ".cache", "splatbook");

/**
 * Returns the folder of the newest build. It is undefined if a file that it was made from has changed, or if it cannot be
 * read, such as by another user.
 * @param {string} entry
 */
function currentBuild(entry) {
  try {
    /** @type {{root: string, build: string, inputs: Input[]}} */
    const { root, build, inputs } = JSON.parse(readFileSync(join(builds(), "newest.json"), "utf8"));
    accessSync(join(build, `${entry}.js`), constants.R_OK);
    return root === projectRoot && inputs.every(isUnchanged) ? build : undefined;
  } catch {
    return undefined;
  }
}

/** @param {Input} input */
function isUnchanged([path, size, ctimeMs]) {
  const found = statSync(join(projectRoot, path), { throwIfNoEntry: false });
  return found?.size === size && found.ctimeMs === ctimeMs;
}

/**
 * @param {string} path of a file in the project
 * @returns {Input}
 */
function inputOf(path) {
  const { size, ctimeMs } = statSync(path);
  return [relative(projectRoot, path), size, ctimeMs];
}

/**
 * Compiles all entries into a new folder. Processes that compile at the same time use separate folders.
 * @returns {Promise<string>} the folder; empty if nothing can be written or a source cannot be compiled
 */
async function compile() {
  ensureInstalled(false);
  let build = "";
  try {
    const inputs = settings.map((path) => inputOf(join(projectRoot, path)));
    const folder = join(builds(), `build-${crypto.randomUUID()}`);
    mkdirSync(folder, { recursive: true });
    build = folder;
    const esbuild = await import("esbuild");
    await esbuild.build({
      entryPoints: entries.map((entry) => join(projectRoot, "src", `${entry}.ts`)),
      outbase: join(projectRoot, "src"),
      outdir: build,
      ...compilation,
      sourcemap: true,
      sourcesContent: false,
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
 * Returns a plugin that loads the project's sources. `import.meta.url` stays the URL of the source file.
 * @param {Input[]} inputs receives each source, in the state before it was read
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
 * Marks a build as used until this process ends, since it may load more of it at any time.
 * @param {string} build
 */
function keep(build) {
  const touch = () => {
    try {
      utimesSync(build, new Date(), new Date());
    } catch {
      // The build belongs to another user, and is removed by a process of that user.
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
      // Another process is removing it.
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

/** Returns whether temporary files can be written. If not, the loader must not use its cache. */
function takesTemporaryFiles() {
  try {
    rmdirSync(mkdtempSync(join(tmpdir(), "splatbook-")));
    return true;
  } catch {
    return false;
  }
}
