// @ts-check
// Runs before packages are installed, so it is plain JavaScript and imports only Node's modules.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of package.json. */
export const projectRoot = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Returns whether node_modules has the packages of the lock file. npm writes node_modules/.package-lock.json last, so
 * an interrupted installation does not count. Contents are compared instead of times, since a checkout gives every file
 * a new time.
 * @param {string} root the folder of package-lock.json
 * @param {boolean} [withTools] whether development packages are required too
 * @returns {boolean}
 */
export function isInstalled(root, withTools = true) {
  const installed = packagesOf(join(root, "node_modules", ".package-lock.json"));
  const required = packagesOf(join(root, "package-lock.json"));
  if (!required) return installed !== undefined;
  if (!installed) return false;
  return Object.entries(required).every(([path, entry]) => {
    // The empty path is the project itself. Bundled packages come with another package, and npm does not always list
    // them. Optional packages are missing on other platforms.
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
 * Installs the packages of the lock file, unless they are installed, and reports this on stderr. Ends the process with
 * exit code 1 if npm fails.
 * @param {boolean} [withTools] whether development packages are installed too
 * @param {string} [root]
 */
export function ensureInstalled(withTools = true, root = projectRoot) {
  if (isInstalled(root, withTools)) return;
  const which = withTools ? "" : ", without development packages";
  process.stderr.write(`Installing the packages of package-lock.json${which}. This happens once.\n`);
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  const { status, error } = runNpm(["ci", withTools ? "--include=dev" : "--omit=dev", ...quiet], root);
  if (status === 0) return;
  process.stderr.write(`npm ci failed${error ? `: ${error.message}` : ""}. Its output is above.\n`);
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
  // Under npm, the running npm is a JavaScript file, which needs no shell on Windows.
  if (npm && basename(npm) === "npm-cli.js") return spawnSync(process.execPath, [npm, ...args], options);
  return spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
}

/**
 * Returns whether Node was started with this module.
 * @param {string} url the module's import.meta.url
 */
export function isMain(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
}

if (isMain(import.meta.url)) ensureInstalled(!process.argv.includes("--without-tools"));
