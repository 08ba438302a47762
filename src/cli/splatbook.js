#!/usr/bin/env node
// @ts-check
// Plain JavaScript, since in a fresh clone neither the packages nor a TypeScript loader are there yet.
import { start } from "../host/node/start.js";

requireWorkingDirectory();
await start("cli/main");

/** Modules are looked for from it before anybody could explain that it is gone. */
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
