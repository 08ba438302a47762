// @ts-check
// `npm start` and `npm run build`: Observable Framework with what it lacks. It reports nothing home, data loaders are
// never taken from an earlier build, and a page with an error in it fails the build.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ensureInstalled, isMain, projectRoot } from "./install.js";

/**
 * Runs a Framework command in the project's folder.
 * @param {string[]} args such as ["preview"] or ["build"]
 * @returns {Promise<number>} its exit code
 */
export function runFramework(args) {
  const resolve = createRequire(import.meta.url).resolve;
  const bin = join(dirname(resolve("@observablehq/framework/package.json")), "dist", "bin", "observable.js");
  const env = {
    ...process.env,
    OBSERVABLE_TELEMETRY_DISABLE: "1",
    // Framework starts data loaders by the name `tsx`.
    PATH: join(projectRoot, "node_modules", ".bin") + delimiter + (process.env.PATH ?? ""),
  };
  const child = spawn(process.execPath, [bin, ...args], { cwd: projectRoot, env, stdio: "inherit" });
  // Whoever ends this process means the child, and wants its exit code.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("exit", (code, signal) => done(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * The pages of a built site that hold a cell which does not parse: Framework prints the error into the page and
 * calls the build a success.
 * @param {string} dist the folder of the built site
 * @returns {string[]} their paths in that folder
 */
export function pagesWithErrors(dist) {
  return readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html"))
    .filter((file) => readFileSync(join(dist, file), "utf8").includes("observablehq--error"))
    .sort();
}

/**
 * Forgets what data loaders gave in earlier builds, since Framework takes it again when only something that the
 * loader imports has changed. The folders whose names start with `_` hold packages and stay.
 */
function clearLoaderCache() {
  const cache = join(projectRoot, "src", ".observablehq", "cache");
  let names;
  try {
    names = readdirSync(cache);
  } catch {
    return; // nothing was built before
  }
  for (const name of names) if (!name.startsWith("_")) rmSync(join(cache, name), { recursive: true, force: true });
}

/** @param {string[]} args */
async function main(args) {
  ensureInstalled();
  if (args[0] !== "build") return runFramework(args);
  clearLoaderCache();
  const code = await runFramework(args);
  if (code !== 0) return code;
  const broken = pagesWithErrors(join(projectRoot, "dist"));
  if (broken.length === 0) return 0;
  process.stderr.write(
    `The build failed: a cell does not parse in ${broken.join(", ")}; Framework's message is above.\n`,
  );
  return 1;
}

if (isMain(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
