// @ts-check
// `npm start` and `npm run build`: Observable Framework without telemetry, on bundled modules. A page with an error fails
// the build.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, watch } from "node:fs";
import { createRequire } from "node:module";
import { constants, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { ensureInstalled, isMain, projectRoot } from "../host/node/install.js";
import { writeMovedPages } from "./movedPages.js";
import { writeModuleNames, writePages } from "./pageModules.js";
import { secureSite } from "./sitePolicy.js";

/** The folder that `npm run build` writes. */
export const dist = join(projectRoot, "dist");

/**
 * Runs a Framework command.
 * @param {string[]} args such as ["preview"]
 * @param {Record<string, string>} variables of its environment
 * @returns {Promise<number>} its exit code
 */
function runFramework(args, variables = {}) {
  const { resolve } = createRequire(import.meta.url);
  const bin = join(dirname(resolve("@observablehq/framework/package.json")), "dist", "bin", "observable.js");
  const preload = ["--import", new URL("noDownloads.js", import.meta.url).href];
  const child = spawn(process.execPath, [...preload, bin, ...args], {
    stdio: "inherit",
    env: { ...process.env, ...variables },
  });
  // A signal for this process is meant for the child.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("exit", (code, signal) => done(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * Builds the site. The folder's time is the start of the build, so sources that are edited during the build are newer.
 * @returns {Promise<number>} the exit code
 */
function build() {
  const startedAt = new Date();
  return replaceFolder(dist, async (site) => {
    const pages = newFolder();
    let code = 1;
    try {
      await writePages(pages, { minify: true });
      code = await runFramework(["build"], { SITE_ROOT: pages, SITE_OUTPUT: site });
    } catch (error) {
      process.stderr.write(`${messageOf(error)}\n`);
    } finally {
      rmSync(pages, { recursive: true, force: true });
    }
    if (code !== 0) return code;
    const errors = cellErrors(site);
    if (errors.length > 0) {
      process.stderr.write(`A cell does not parse.\n${errors.join("\n")}\n`);
      return 1;
    }
    const { fillReports } = await import("./staticPages.js");
    writeModuleNames(site);
    writeMovedPages(site);
    secureSite(site);
    await fillReports(site);
    utimesSync(site, startedAt, startedAt);
    return 0;
  });
}

/**
 * Replaces a folder by a new one. If that cannot be made, the folder stays, and the error names it.
 * @param {string} folder
 * @param {(newFolder: string) => Promise<number>} make fills the new folder and returns an exit code
 * @returns {Promise<number>} that exit code
 */
export async function replaceFolder(folder, make) {
  const made = `${folder}.new`;
  let code = 1;
  try {
    code = await make(made);
    if (code !== 0) return code;
    rmSync(folder, { recursive: true, force: true });
    renameSync(made, folder);
    return 0;
  } finally {
    rmSync(made, { recursive: true, force: true });
    if (code !== 0) process.stderr.write(`The build failed. ${keptSentence(folder)}\n`);
  }
}

/** @param {string} folder */
function keptSentence(folder) {
  return existsSync(folder) ? `${folder} keeps the site of the last build.` : `There is no earlier site in ${folder}.`;
}

/**
 * Returns the cells of a built site that do not parse. Framework writes these errors into the page only, and the build
 * succeeds.
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

/** Returns the path of a new folder for pages and their modules from the project's root, as Framework needs it. */
function newFolder() {
  return relative(projectRoot, mkdtempSync(join(tmpdir(), "splatbook-pages-")));
}

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Writes pages, and again after edits of their sources.
 * @param {string} pages
 */
async function keepWritten(pages) {
  let isDue = true;
  const write = async () => {
    isDue = false;
    await writePages(pages, { minify: false }).catch((error) => process.stderr.write(`${messageOf(error)}\n`));
  };
  let writing = write();
  // Framework checks only the time of a data loader.
  const loaders = { shaders: "shaders.json.ts", "src/engine": "cpuReferences.json.ts", src: undefined };
  for (const [folder, loader] of Object.entries(loaders)) {
    watch(join(projectRoot, folder), { recursive: true, persistent: false }, () => {
      const now = new Date();
      if (loader) utimesSync(join(projectRoot, "src", loader), now, now);
      else if (!isDue) {
        // Saving a file causes several events.
        isDue = true;
        writing = writing.then(write);
      }
    });
  }
  await writing;
}

/**
 * Reads the published runs. Framework would report a broken one as an internal error.
 * @returns {Promise<string | undefined>} the error of the first broken run
 */
async function findBrokenRun() {
  const { register } = await import("tsx/esm/api");
  register();
  const { recordedRuns } = await import("./recordedRuns.js");
  try {
    await recordedRuns();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * @param {string[]} args such as ["preview"]
 * @returns {Promise<number>} the exit code
 */
async function main([command, ...args]) {
  const problem = await findBrokenRun();
  if (problem !== undefined) {
    process.stderr.write(`${problem}${command === "build" ? ` ${keptSentence(dist)}` : ""}\n`);
    return 1;
  }
  process.chdir(projectRoot);
  if (command === "build") return build();
  if (command !== "preview") return runFramework([command, ...args]);
  process.stdout.write("Preparing the pages…\n");
  const pages = newFolder();
  process.once("exit", () => rmSync(pages, { recursive: true, force: true }));
  // A signal alone would end the process without this event.
  for (const signal of /** @type {const} */ (["SIGHUP", "SIGINT", "SIGTERM"]))
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  await keepWritten(pages);
  process.env.SITE_ROOT = pages;
  const { preview } = await import("./preview.js");
  return preview(args);
}

if (isMain(import.meta.url)) {
  ensureInstalled(false);
  process.exitCode = await main(process.argv.slice(2));
}
