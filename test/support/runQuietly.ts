import { makeProgram } from "../../src/cli/program.js";
import { failureOf } from "../../src/terminal/run.js";

/** Runs a command in this process without a word on stdout, and gives the sentence with which it fails. */
export async function runQuietly(args: string[]): Promise<string | undefined> {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    return (await failureOf(makeProgram(), ["node", "splatbook", ...args]))?.message;
  } finally {
    process.stdout.write = write;
    process.exitCode = undefined;
  }
}
