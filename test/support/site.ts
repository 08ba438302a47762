import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { dist } from "../../src/cli/framework.js";
import { projectRoot } from "../../src/cli/install.js";

/**
 * Builds the site, unless it is newer than all that it is built from, and returns its folder. Test processes that come
 * at once build it once: the others wait.
 */
export async function builtSite(): Promise<string> {
  const release = await lock(join(projectRoot, ".dev", "site.lock"));
  try {
    if (!isFresh()) await build();
    return dist;
  } finally {
    release();
  }
}

function isFresh(): boolean {
  const built = statSync(dist, { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return false;
  const sources = ["src", "shaders", "data", "observablehq.config.ts", "package-lock.json"];
  return sources.every((source) => newest(join(projectRoot, source)) < built);
}

/** The latest time in a tree; folders count, since theirs tell of deleted files. */
function newest(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink() && entry.name !== ".observablehq")
    .reduce((time, entry) => Math.max(time, newest(join(path, entry.name))), stats.mtimeMs);
}

/** Runs `npm run build`'s command, and throws what it printed when it fails. */
function build(): Promise<void> {
  const child = spawn(process.execPath, [join(projectRoot, "src", "cli", "framework.js"), "build"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => (code === 0 ? done() : fail(new Error(`the site does not build:\n${output}`))));
  });
}

/** Waits until no other living process holds the lock, takes it, and returns what gives it back. */
async function lock(folder: string): Promise<() => void> {
  const owner = join(folder, "pid");
  mkdirSync(join(folder, ".."), { recursive: true });
  for (;;) {
    try {
      mkdirSync(folder);
      writeFileSync(owner, String(process.pid));
      return () => rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (isAbandoned(folder, owner)) rmSync(folder, { recursive: true, force: true });
    else await setTimeout(100);
  }
}

function isAbandoned(folder: string, owner: string): boolean {
  try {
    process.kill(Number(readFileSync(owner, "utf8")), 0);
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return true;
    // The owner may be between making the folder and writing its number.
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    return code === "ENOENT" && age > 2000;
  }
}
