import { makeProgram } from "../../src/cli/program.js";
import { failureOf } from "../../src/terminal/run.js";

/** Runs a command in this process without output on stdout, and returns its error message. */
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
