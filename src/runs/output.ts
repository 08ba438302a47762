import { stat } from "node:fs/promises";
import { Failure, usageFailure } from "../terminal/failure.js";
import { checkPath } from "../terminal/flags.js";
import { printLines } from "../terminal/streams.js";
import { followLink, writeFile } from "./staging.js";

/** Options of a command that writes one file, as they were typed. */
export interface OutputOptions {
  /** A path, or - for stdout. */
  out: string;
  force?: boolean;
  json?: boolean;
  quiet?: boolean;
}

const stdout = "-";

/** Returns whether a file goes to stdout. */
export const isStdout = (out: string) => out === stdout;

/**
 * Checks that a file can be written, before its contents are computed.
 * @throws ConfigError, Failure, also if the path is a dangling link
 */
export async function checkOutput({ out, force, json }: OutputOptions): Promise<void> {
  if (!isStdout(checkPath(out))) {
    const exists = await stat(await followLink(out)).catch(() => undefined);
    if (exists && !force) throw new Failure(`${out} already exists. Replace it with --force.`);
    return;
  }
  if (json) throw usageFailure("--json cannot be combined with --out -, since stdout has the file.");
  if (process.stdout.isTTY) throw new Failure("stdout is a terminal. Send it to a pipe or a file.");
}

/** Writes a file, and prints its facts as JSON or a sentence about it. If stdout has the file, stderr has the sentence. */
export async function writeOutput(
  { out, json, quiet }: OutputOptions,
  contents: Uint8Array,
  facts: object,
  sentence: string,
): Promise<void> {
  if (isStdout(out)) process.stdout.write(contents);
  else await writeFile(out, contents);
  printOutput({ out, json, quiet }, facts, sentence);
}

/** Prints the facts of a file as JSON, or a sentence about it. */
export function printOutput({ out, json, quiet }: OutputOptions, facts: object, sentence: string): void {
  if (json) process.stdout.write(`${JSON.stringify({ out, ...facts }, null, 2)}\n`);
  else if (!quiet) printLines(`${isStdout(out) ? "stdout" : out}: ${sentence}`, isStdout(out) ? "stderr" : "stdout");
}
