#!/usr/bin/env node
// @ts-check
// Plain JavaScript, since in a fresh clone neither the packages nor a TypeScript loader are there yet.
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled } from "../host/node/install.js";

requireWorkingDirectory();
ensureInstalled(false);
if (!takesTemporaryFiles()) process.env.TSX_DISABLE_CACHE = "1";
const { register } = await import("tsx/esm/api");
register();
await import("./main.js");

/** The loader asks for it before anybody could explain that it is gone. */
function requireWorkingDirectory() {
  try {
    process.cwd();
  } catch {
    const error = "The working directory is gone; change to one that is there.";
    process.stderr.write(`${error}\n`);
    if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify({ error })}\n`);
    process.exit(1);
  }
}

/** Where nothing can be written, such as on a read-only disk, the loader would fail for its cache's sake. */
function takesTemporaryFiles() {
  try {
    rmdirSync(mkdtempSync(join(tmpdir(), "splatbook-")));
    return true;
  } catch {
    return false;
  }
}
