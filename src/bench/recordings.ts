import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Command } from "commander";
import { duration } from "../engine/duration.js";
import { mustBe } from "../engine/quoted.js";
import { Failure, usageFailure } from "../terminal/failure.js";
import { checkPath } from "../terminal/flags.js";
import type { BenchSite } from "./site.js";

/** The programs that measure. */
export type BenchProgram = "bench" | "realtime";

/** How a file of data/bench is recorded. */
interface Recording {
  file: string;
  program: BenchProgram;
  args: string[];
  /** The option for the file to write; absent if the program prints to stdout. */
  out?: string;
  /** Options for a job that takes seconds on a software adapter. */
  tiny: string[];
  /** Recorded only on request: it needs no GPU, or takes longer than all others. */
  isOnRequest?: boolean;
}

export const recordings: readonly Recording[] = [
  {
    file: "h200-headline.json",
    program: "bench",
    args: ["--pipelines", "tiled,binned", "--json"],
    tiny: ["--blobs", "20", "--steps", "5", "--size", "16x8"],
  },
  {
    file: "realtime.json",
    program: "realtime",
    args: [],
    out: "--json",
    tiny: ["--blobs", "20", "--seconds", "0.05", "--size", "16x8", "--start", "2"],
  },
  {
    file: "scaling.arrow",
    program: "bench",
    args: ["--scaling", "--pipelines", "binned"],
    out: "--out",
    tiny: ["--blobs", "24", "--seconds", "0.02", "--size", "8x8"],
  },
  {
    file: "quality.arrow",
    program: "bench",
    args: ["--quality"],
    out: "--out",
    tiny: ["--blobs", "20", "--steps", "4", "--size", "16x8", "--rows", "ladder"],
    isOnRequest: true,
  },
  {
    file: "cpu.json",
    program: "bench",
    args: ["--pipelines", "cpu", "--blobs", "40960", "--steps", "10", "--json"],
    tiny: ["--blobs", "20", "--size", "16x8"],
    isOnRequest: true,
  },
];

/**
 * Other files of data/bench: the images that raceImages.ts computes, and files written by hand.
 */
export const otherFiles = ["race", "story.json", "anchors.json"];

/**
 * Returns the command that records files of data/bench again, one after the other, each in a separate process.
 * @param argvOf returns Node's arguments that start a program, without the program's options
 */
export function recordCommand(site: BenchSite, argvOf: (program: BenchProgram) => string[]): Command {
  const names = recordings.map(({ file }) => file).join(", ");
  return new Command("record")
    .description("record the files of data/bench again, on one commit")
    .argument("[files...]", `any of ${names} (default: all but quality.arrow and cpu.json)`)
    .requiredOption("--into <folder>", "the folder to write them into")
    .option("--tiny", "use jobs that take seconds on a software adapter, to test the recording")
    .action((files: string[], options: { into: string; tiny?: boolean }) => record(files, options));

  async function record(files: string[], { into, tiny }: { into: string; tiny?: boolean }): Promise<void> {
    const unknownFile = files.find((name) => recordings.every(({ file }) => file !== name));
    if (unknownFile !== undefined) throw usageFailure(mustBe("files", `any of ${names}`, unknownFile));
    const { commit } = site;
    if (!tiny && (commit === undefined || commit.endsWith("-dirty")))
      throw new Failure("Recordings contain the commit. Commit your changes first.");
    const folder = checkPath(into);
    await mkdir(folder, { recursive: true });
    const failed: string[] = [];
    for (const recording of recordings) {
      const { file, isOnRequest } = recording;
      if (files.length > 0 ? !files.includes(file) : isOnRequest) continue;
      const start = performance.now();
      const wasRecorded = await runRecording(recording, join(folder, file), tiny === true);
      if (!wasRecorded) failed.push(file);
      process.stderr.write(
        `${file}: ${wasRecorded ? "recorded" : "failed"} in ${duration((performance.now() - start) / 1000)}\n`,
      );
    }
    if (failed.length > 0) throw new Failure(`${failed.join(" and ")} could not be recorded.`);
  }

  /** Returns whether the program succeeded. If it did not, the file of a program that prints is unchanged. */
  async function runRecording(
    { program, args, out, tiny }: Recording,
    path: string,
    isTiny: boolean,
  ): Promise<boolean> {
    const childArguments = [...args, ...(isTiny ? tiny : []), ...(out ? [out, path] : [])];
    const child = spawn(process.execPath, [...argvOf(program), ...childArguments], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [printed, code] = await Promise.all([
      text(child.stdout),
      new Promise<number | null>((resolve) => child.on("close", resolve)),
    ]);
    if (code !== 0) return false;
    if (out) process.stderr.write(printed);
    else await writeFile(path, printed);
    return true;
  }
}
