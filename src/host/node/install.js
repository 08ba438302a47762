// @ts-check
// Runs before anything is installed, so it is plain JavaScript and imports nothing but Node itself.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds package.json. */
export const projectRoot = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Whether node_modules holds what the lock file lists. npm writes down what it installed in
 * node_modules/.package-lock.json as its last act, so an interrupted install counts as none. Contents are compared
 * rather than times, since a checkout gives every file a new time.
 * @param {string} root the folder that holds package-lock.json
 * @param {boolean} [withTools] whether what only tests and checks need has to be there too
 * @returns {boolean}
 */
export function isInstalled(root, withTools = true) {
  const installed = packagesOf(join(root, "node_modules", ".package-lock.json"));
  const wanted = packagesOf(join(root, "package-lock.json"));
  if (!wanted) return installed !== undefined;
  if (!installed) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    // The empty path is the project itself; what is bundled comes in its package, and npm does not always write it down;
    // optional packages are left out on other platforms.
    if (path === "" || entry.inBundle || (entry.optional && !installed[path]) || (entry.dev && !withTools)) return true;
    return installed[path]?.version === entry.version;
  });
}

/**
 * @param {string} lockFile
 * @returns {Record<string, {version?: string, optional?: boolean, dev?: boolean, inBundle?: boolean}> | undefined}
 */
function packagesOf(lockFile) {
  if (!existsSync(lockFile)) return undefined;
  try {
    return JSON.parse(readFileSync(lockFile, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/**
 * Installs what the lock file lists, unless it is there already. Says so on stderr, so that stdout stays the caller's.
 * Ends the process with exit code 1 when npm fails.
 * @param {boolean} [withTools] whether what only tests and checks need is asked for too
 * @param {string} [root]
 */
export function ensureInstalled(withTools = true, root = projectRoot) {
  if (isInstalled(root, withTools)) return;
  const which = withTools ? "" : ", without those of tests and checks";
  process.stderr.write(`Installing the packages of package-lock.json${which}; this happens once.\n`);
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  const { status, error } = runNpm(["ci", withTools ? "--include=dev" : "--omit=dev", ...quiet], root);
  if (status === 0) return;
  process.stderr.write(`npm ci failed${error ? `: ${error.message}` : ""}; its output is above.\n`);
  process.exit(1);
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
function runNpm(args, cwd) {
  /** @type {import("node:child_process").SpawnSyncOptions} */
  const options = { cwd, stdio: ["ignore", 2, 2] };
  const npm = process.env.npm_execpath;
  // Under npm the running npm is known; it is a JavaScript file, which spares Windows its shell.
  if (npm && basename(npm) === "npm-cli.js") return spawnSync(process.execPath, [npm, ...args], options);
  return spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
}

/**
 * Whether Node was started with this module, rather than that another one imports it.
 * @param {string} url the module's import.meta.url
 */
export function isMain(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
}

if (isMain(import.meta.url)) ensureInstalled(!process.argv.includes("--without-tools"));
