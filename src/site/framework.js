// @ts-check
// `npm start` and `npm run build`: Observable Framework with what it lacks. It reports nothing home, data loaders are
// never answered from an earlier build, and a page with an error in it fails the build.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, watch } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { ensureInstalled, isMain, projectRoot } from "../host/node/install.js";
import { bundleSite } from "./bundleSite.js";
import { secureSite } from "./sitePolicy.js";

/** The folder that `npm run build` writes. */
export const dist = join(projectRoot, "dist");
const cache = join(projectRoot, "src", ".observablehq", "cache");

/**
 * Runs a Framework command.
 * @param {string[]} args such as ["preview"]
 * @returns {Promise<number>} its exit code
 */
function runFramework(args) {
  const { resolve } = createRequire(import.meta.url);
  const bin = join(dirname(resolve("@observablehq/framework/package.json")), "dist", "bin", "observable.js");
  const preload = ["--import", new URL("noRequests.js", import.meta.url).href];
  const child = spawn(process.execPath, [...preload, bin, ...args], { stdio: "inherit" });
  // Whoever ends this process means the child, and waits for its exit code.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("exit", (code, signal) => done(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * Builds the site. Its folder's time is when the build began, so whatever was edited since is newer; a failed build
 * leaves no folder.
 * @returns {Promise<number>} the exit code
 */
async function build() {
  const startedAt = new Date();
  const code = await runFramework(["build"]);
  const errors = code === 0 ? cellErrors(dist) : [];
  if (errors.length > 0) process.stderr.write(`The build failed: a cell does not parse.\n${errors.join("\n")}\n`);
  if (code === 0 && errors.length === 0) {
    const { fillReports } = await import("./staticPages.js");
    await bundleSite(dist);
    secureSite(dist);
    await fillReports(dist);
    utimesSync(dist, startedAt, startedAt);
    return 0;
  }
  rmSync(dist, { recursive: true, force: true });
  return code || 1;
}

/** What a site is built from: the installed packages too. */
const sources = [
  "src",
  "shaders",
  "data",
  "observablehq.config.ts",
  "package.json",
  join("node_modules", ".package-lock.json"),
].map((source) => join(projectRoot, source));

/**
 * Whether a built site is of its sources as they are: none is newer, and none was taken away, which its folder tells.
 * @returns {boolean}
 */
export function isCurrent(site = dist, inputs = sources) {
  if (!existsSync(site)) return false;
  const builtAt = statSync(site).mtimeMs;
  /** @type {(path: string) => boolean} */
  const isOlder = (path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isDirectory()) return stats !== undefined && stats.mtimeMs < builtAt;
    const names = readdirSync(path).filter((name) => name !== ".observablehq");
    return stats.mtimeMs < builtAt && names.every((name) => isOlder(join(path, name)));
  };
  return inputs.every(isOlder);
}

/**
 * The cells of a built site that do not parse: Framework prints the error into the page, nowhere else, and calls the
 * build a success.
 * @param {string} site the folder of the built site
 * @returns {string[]} such as "learn/sort.html: SyntaxError: Unexpected token (1:10)"
 */
export function cellErrors(site) {
  return readdirSync(site, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html"))
    .sort()
    .flatMap((file) =>
      [...readFileSync(join(site, file), "utf8").matchAll(/\bobservablehq--error"[^>]*>([^<]*)/g)].map(
        ([, message]) => `${file.replaceAll("\\", "/")}: ${message.trim()}`,
      ),
    );
}

/**
 * Forgets what data loaders gave in earlier builds, since Framework takes it again when only something that the
 * loader imports has changed. The folders whose names start with `_` hold packages and stay.
 */
function clearLoaderCache() {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    if (!name.startsWith("_")) rmSync(join(cache, name), { recursive: true, force: true });
  }
}

/** Lets the preview load the kernels anew when one is edited: Framework looks at the time of their loader alone. */
function watchShaders() {
  const loader = join(projectRoot, "src", "shaders.json.ts");
  watch(join(projectRoot, "shaders"), { recursive: true, persistent: false }, () => {
    const now = new Date();
    utimesSync(loader, now, now);
  });
}

/**
 * Looks at the runs that the site publishes. Framework itself would tell of a broken one in a box, as of its own error.
 * @returns {Promise<string | undefined>} what is wrong with one of them, as a sentence
 */
async function findBrokenRun() {
  const { register } = await import("tsx/esm/api");
  register();
  const { recordedRuns } = await import("./recordedRuns.js");
  try {
    await recordedRuns();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * @param {string[]} args such as ["preview"]
 * @returns {Promise<number>} the exit code
 */
async function main([command, ...args]) {
  const problem = await findBrokenRun();
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    if (command === "build") rmSync(dist, { recursive: true, force: true });
    return 1;
  }
  process.chdir(projectRoot);
  clearLoaderCache();
  if (command === "build") return build();
  if (command !== "preview") return runFramework([command, ...args]);
  watchShaders();
  const { preview } = await import("./preview.js");
  return preview(args);
}

if (isMain(import.meta.url)) {
  ensureInstalled(false);
  process.exitCode = await main(process.argv.slice(2));
}
