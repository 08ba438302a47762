#!/usr/bin/env node
// @ts-check
// Plain JavaScript: a fresh clone has neither packages nor a TypeScript loader.
import { start } from "../host/node/start.js";

requireWorkingDirectory();
await start("cli/main");

/** Node resolves modules from the working directory, so its absence is reported first. */
function requireWorkingDirectory() {
  try {
    process.cwd();
  } catch {
    const error = "The working directory does not exist. Change to another one.";
    process.stderr.write(`${error}\n`);
    if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify({ error })}\n`);
    process.exit(1);
  }
}
