// What only a checkout can answer. In the npm package, these functions return what they returned when it was packed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./install.js";

/** Packages that determine what a run computes and writes. */
const packages = ["webgpu", "sharp", "apache-arrow", "pako"];

/** Folders with the code that determines what a worker computes and writes. */
const hashedFolders = ["shaders", "src/engine", "src/host", "src/runs", "src/farm"];

/** Returns the versions of splatbook and the `packages` in package-lock.json, by name. */
export function lockedVersions(): Record<string, string> {
  const locked = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8"));
  const entries = packages.map((name) => [name, locked.packages[`node_modules/${name}`].version]);
  return { splatbook: locked.version, ...Object.fromEntries(entries) };
}

/**
 * Returns the git commit of the checkout, followed by "-dirty" if files other than benchmark records have changed;
 * undefined outside a checkout.
 */
export function gitCommit(): string | undefined {
  try {
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: projectRoot, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    const changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!data/bench");
    return git("rev-parse", "HEAD") + (changed ? "-dirty" : "");
  } catch {
    return undefined;
  }
}

/** Returns a hash of the code that a worker runs, in eight hexadecimal digits. */
export function codeHash(): string {
  const hash = createHash("sha256").update(readFileSync(join(projectRoot, "package-lock.json")));
  for (const folder of hashedFolders) {
    const entries = readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    for (const path of paths.sort()) hash.update(readFileSync(path));
  }
  return hash.digest("hex").slice(0, 8);
}
