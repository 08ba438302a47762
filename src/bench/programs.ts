import type { Command } from "commander";
import { runCommand } from "../terminal/run.js";
import { surviveClosedStreams } from "../terminal/streams.js";
import { benchCommand } from "./bench.js";
import { realtimeCommand } from "./realtimeCommand.js";
import { type BenchProgram, recordCommand } from "./recordings.js";
import type { BenchSite } from "./site.js";

/**
 * Runs the program that the first argument of this process names: `realtime`, `record`, or else `bench`.
 * @param argvOf returns Node's arguments that start a program, without the program's options
 */
export async function runProgram(
  openSite: () => Promise<BenchSite>,
  argvOf: (program: BenchProgram) => string[],
): Promise<void> {
  surviveClosedStreams();
  const programs: Record<string, () => Promise<Command>> = {
    realtime: async () => realtimeCommand(await openSite()),
    record: async () => recordCommand(await openSite(), argvOf),
    bench: async () => benchCommand(openSite),
  };
  const [node, script, name, ...args] = process.argv;
  const program = programs[name];
  if (program) await runCommand(await program(), [node, script, ...args]);
  else await runCommand(await programs.bench(), process.argv);
}
