// @ts-check
// Runs before packages are installed, so it is plain JavaScript and imports only Node's modules.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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
  return readJson(lockFile)?.packages;
}

/**
 * Returns the contents of a file; undefined if there is none, or if it is not JSON.
 * @param {string} file
 */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
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
  const { status, error } = runNpm(["ci", withTools ? "--include=dev" : "--omit=dev"], root);
  if (status === 0) return;
  process.stderr.write(`npm ci failed${error ? `: ${error.message}` : ""}. Its output is above.\n`);
  process.exit(1);
}

/**
 * Installs packages that few commands, scripts or tests need, unless they are installed, and reports this on stderr. Their
 * versions are in package.json: in `devDependencies`, or in `config` if package.json does not install them at all. They
 * get a folder of their own, and links in node_modules/, where imports find them.
 * @param {string[]} names
 * @param {string} [root]
 * @throws Error if npm fails
 */
export function ensurePackages(names, root = projectRoot) {
  const lockFile = join(root, "package-lock.json");
  // The npm package has them as dependencies.
  if (!existsSync(lockFile)) return;
  const manifest = readJson(join(root, "package.json"));
  const versions = { ...manifest.devDependencies, ...manifest.config };
  const place = (/** @type {string} */ name) => join(root, "node_modules", name);
  const isMissing = (/** @type {string} */ name) =>
    readJson(join(place(name), "package.json"))?.version !== versions[name];
  const missing = names.filter(isMissing);
  if (missing.length === 0) return;
  const list = missing.map((name) => `${name}@${versions[name]}`).join(" ");
  const cache = join(root, "node_modules", ".cache");
  const folder = join(cache, list.replaceAll(" ", "+"));
  if (!existsSync(folder)) {
    process.stderr.write(`Installing ${list}. This happens once.\n`);
    const unfinished = join(cache, crypto.randomUUID());
    mkdirSync(unfinished, { recursive: true });
    const dependencies = Object.fromEntries(missing.map((name) => [name, versions[name]]));
    const { overrides, allowScripts } = manifest;
    writeFileSync(join(unfinished, "package.json"), JSON.stringify({ dependencies, overrides, allowScripts }));
    // It also fixes the versions of the packages that these need.
    copyFileSync(lockFile, join(unfinished, "package-lock.json"));
    const { status, error } = runNpm(["install", "--prefix", unfinished], unfinished);
    // Another process may have been faster.
    if (status === 0 && !existsSync(folder)) renameSync(unfinished, folder);
    else rmSync(unfinished, { recursive: true });
    if (status !== 0) {
      throw new Error(`npm could not install ${list}${error ? `: ${error.message}` : ""}. Its output is above.`);
    }
  }
  for (const name of missing.filter(isMissing)) {
    rmSync(place(name), { recursive: true, force: true });
    symlinkSync(join(folder, "node_modules", name), place(name), "junction");
  }
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
function runNpm(args, cwd) {
  args.push("--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error");
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

// The bundle of another program may contain this module.
if (isMain(import.meta.url) && basename(process.argv[1]) === "install.js") {
  const withTools = !process.argv.includes("--without-tools");
  if (!isInstalled(projectRoot, withTools)) {
    ensureInstalled(withTools);
    // The first start of the command line makes its bundle.
    spawnSync(process.execPath, [join(projectRoot, "src", "cli", "splatbook.js"), "--version"], { stdio: "ignore" });
  }
}
