import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./install.js";
import { readShaders } from "./shaderFiles.js";

/** Reads the shaders of this checkout. */
export const readLibrary = () => readShaders(join(projectRoot, "shaders"));

/** Packages that determine what a run computes and writes. */
const packages = ["webgpu", "sharp", "apache-arrow", "pako"];

let cachedVersions: Record<string, string> | undefined;

/** Returns the versions of splatbook, Node and the `packages` in package-lock.json, by name. */
export function versions(): Record<string, string> {
  cachedVersions ??= readVersions();
  return cachedVersions;
}

function readVersions(): Record<string, string> {
  const locked = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8"));
  const entries = packages.map((name) => [name, locked.packages[`node_modules/${name}`].version]);
  return { splatbook: locked.version, node: process.versions.node, ...Object.fromEntries(entries) };
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
