import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// esbuild keeps the working directory in which it was first imported, and a command may run in one that is deleted later.
import "esbuild";
import sharp from "sharp";
import { afterAll, vi } from "vitest";
import { makeProgram } from "../../src/cli/program.js";
import { projectRoot } from "../../src/host/node/install.js";
import { failureOf, runCommand } from "../../src/terminal/run.js";

/** The output and exit code of a command. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface CommandOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** Called with all of stderr so far, whenever it grows. */
  watch?: (stderr: string, child: ChildProcess) => void;
}

/** Runs the command in a separate process, to test signals, working directories and environments. */
export function splatbookProcess(args: string[], options: CommandOptions = {}): Promise<Outcome> {
  return node([join(projectRoot, "src", "cli", "splatbook.js"), ...args], options);
}

/**
 * Runs the command in this process, which is faster. Only one command at a time, since its output is captured.
 * @param options working directory, and a function that gets all of stderr whenever it grows
 */
export async function splatbook(
  args: string[],
  { cwd, watch }: { cwd?: string; watch?: (stderr: string) => void } = {},
): Promise<Outcome> {
  const outcome: Outcome = { code: 0, stdout: "", stderr: "" };
  const caught = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      outcome[name] += text;
      if (name === "stderr") watch?.(outcome.stderr);
      return true;
    }),
  );
  const home = process.cwd();
  try {
    if (cwd !== undefined) process.chdir(cwd);
    await runCommand(makeProgram(), ["node", "splatbook", ...args]);
    outcome.code = Number(process.exitCode ?? 0);
  } finally {
    process.chdir(home);
    for (const spy of caught) spy.mockRestore();
    // The command adds these listeners for the rest of its process.
    for (const name of ["stdout", "stderr"] as const) process[name].removeAllListeners("error");
    process.exitCode = undefined;
  }
  return outcome;
}

/** Runs a command in this process, and returns the sentence and the exit code of its failure. */
export async function refusalOf(args: string[]): Promise<{ code: number; sentence: string }> {
  const failure = await failureOf(makeProgram(), ["node", "splatbook", ...args]);
  if (!failure) throw new Error(`splatbook ${args.join(" ")} did not fail.`);
  return { code: failure.exitCode, sentence: failure.message };
}

/** Runs Node with arguments, starting with the path of a script. */
export function node(args: string[], { env, cwd, watch }: CommandOptions = {}): Promise<Outcome> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const outcome: Outcome = { code: null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    outcome.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    outcome.stderr += text;
    watch?.(outcome.stderr, child);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...outcome, code }));
  });
}

/** Creates a folder for a test file, which is removed after its tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "splatbook-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a small image with smooth colours, and returns its path. */
export async function smallImage(folder: string, width = 24, height = 16): Promise<string> {
  const path = join(folder, "small.png");
  const bytes = Uint8Array.from({ length: 3 * width * height }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    return [(255 * x) / width, (255 * y) / height, 128][i % 3];
  });
  await sharp(bytes, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(path);
  return path;
}
