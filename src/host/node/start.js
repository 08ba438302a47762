// @ts-check
// Plain JavaScript that imports only Node's own modules, since it also runs before the packages are installed.
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
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

const builds = join(projectRoot, "node_modules", ".cache", "splatbook");
const newest = join(builds, "newest.json");

/**
 * Imports a module that a process or a thread starts with, from a build of the sources. The first start, and the first
 * after a change of a source, compiles them. Threads and child processes use the build of their command. If nothing can
 * be written or the sources cannot be compiled, tsx loads them.
 * @param {string} entry one of `entries`
 */
export async function start(entry) {
  const build = process.env.SPLATBOOK_BUILD ?? currentBuild(entry) ?? (await compile());
  process.env.SPLATBOOK_BUILD = build;
  if (build === "") {
    process.env.TSX_DISABLE_CACHE = "1";
    (await import("tsx/esm/api")).register();
    await import(pathToFileURL(join(projectRoot, "src", `${entry}.ts`)).href);
    return;
  }
  // Lets stack traces name lines of the sources. It takes 8 ms, so the command line does it only if a command runs.
  if (entry !== "cli/main") process.setSourceMapsEnabled(true);
  await import(pathToFileURL(join(build, `${entry}.js`)).href);
}

/**
 * Returns the folder of the newest build; undefined if there is none, if it cannot be read, or if one of its files has
 * changed.
 * @param {string} entry
 */
function currentBuild(entry) {
  try {
    const { root, build, changed } = JSON.parse(readFileSync(newest, "utf8"));
    accessSync(join(build, `${entry}.js`), constants.R_OK);
    const isCurrent = Object.entries(changed).every(([path, time]) => changeTime(path) === time);
    return root === projectRoot && isCurrent ? /** @type {string} */ (build) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Unlike the modification time, this time cannot be set, so copies and archives that keep times count as changes.
 * @param {string} path from the project's root
 */
const changeTime = (path) => statSync(join(projectRoot, path)).ctimeMs;

/**
 * Compiles all entries into a new folder. Processes that compile at the same time use separate folders.
 * @returns {Promise<string>} the folder; empty if nothing can be written or a source cannot be compiled
 */
async function compile() {
  ensureInstalled(false);
  const build = join(builds, crypto.randomUUID());
  try {
    const changed = Object.fromEntries(settings.map((path) => [path, changeTime(path)]));
    mkdirSync(build, { recursive: true });
    const esbuild = await import("esbuild");
    await esbuild.build({
      entryPoints: entries.map((entry) => join(projectRoot, "src", `${entry}.ts`)),
      outbase: join(projectRoot, "src"),
      outdir: build,
      ...compilation,
      sourcemap: true,
      sourcesContent: false,
      logLevel: "silent",
      plugins: [sources(changed)],
    });
    void esbuild.stop();
    writeFileSync(join(build, "newest.json"), JSON.stringify({ root: projectRoot, build, changed }));
    removeOldBuilds();
    renameSync(join(build, "newest.json"), newest);
    return build;
  } catch {
    if (existsSync(build)) rmSync(build, { recursive: true, force: true });
    return "";
  }
}

/** Removes builds a week after their replacement. Until then, processes may load more of their files. */
function removeOldBuilds() {
  const now = new Date();
  try {
    utimesSync(JSON.parse(readFileSync(newest, "utf8")).build, now, now);
    for (const name of readdirSync(builds).filter((name) => name !== "newest.json")) {
      const build = join(builds, name);
      if (now.getTime() - statSync(build).mtimeMs > 7 * 24 * 3600 * 1000) rmSync(build, { recursive: true });
    }
  } catch {
    // There is no build yet, or another process or user removes them.
  }
}

/**
 * Returns a plugin that loads the project's sources. `import.meta.url` stays the URL of the source file.
 * @param {Record<string, number>} changed receives the change time of each source, from before it is read
 * @returns {import("esbuild").Plugin}
 */
function sources(changed) {
  return {
    name: "sources",
    setup({ onLoad }) {
      onLoad({ filter: /\.(ts|js|mjs)$/ }, async ({ path }) => {
        if (!path.startsWith(join(projectRoot, "src"))) return undefined;
        const source = relative(projectRoot, path);
        changed[source] = changeTime(source);
        const url = JSON.stringify(pathToFileURL(path).href);
        const contents = (await readFile(path, "utf8")).replaceAll("import.meta.url", () => url);
        return { contents, loader: path.endsWith(".ts") ? "ts" : "js" };
      });
    },
  };
}
