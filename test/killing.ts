// Kills fit, fit --resume and sweep at random moments, every other time while files are written, and looks at what is left:
// node --import tsx test/killing.ts 100
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import sharp from "sharp";
import { projectRoot } from "../src/cli/install.js";
import { lockFile } from "../src/cli/lock.js";
import { makeProgram } from "../src/cli/program.js";
import { failureOf } from "../src/cli/run.js";
import { whereIs } from "../src/cli/staging.js";

const kills = Number(process.argv[2] ?? 30);
const folder = mkdtempSync(join(tmpdir(), "splatbook-killing-"));
const picture = join(folder, "small.png");
await sharp(join(projectRoot, "data", "images", "astronaut.png"))
  .resize(48, 32)
  .toFile(picture);

const job = [picture, "--preset", "quality", "--pipeline", "cpu", "--blobs", "40", "--quiet"];
const fit = ["fit", ...job, "--steps", "600", "--record-gradients-every", "150", "--checkpoint", "0.05"];
const resume = ["--steps", "1200", "--checkpoint", "0.05", "--quiet"];
const sweep = ["sweep", ...job, "--steps", "120", "--vary", "seed=1,2,3"];

/** Runs a command in this process, and gives the sentence with which it fails. */
async function run(args: string[]): Promise<string | undefined> {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    return (await failureOf(makeProgram(), ["node", "splatbook", ...args]))?.message;
  } finally {
    process.stdout.write = write;
    process.exitCode = undefined;
  }
}

const problems: string[] = [];
function check(isSo: boolean, what: string): void {
  if (!isSo) problems.push(what);
}

const first = (out: string, name: string) => whereIs(out, name).find((path) => existsSync(path));

/** The step that a folder's run has come to; undefined without one. */
function stepOf(out: string): number | undefined {
  const path = first(out, "run.json");
  try {
    return path && JSON.parse(readFileSync(path, "utf8")).step;
  } catch {
    return undefined;
  }
}

const bytesOf = (out: string, name: string) => readFileSync(join(out, name));
const isSame = (out: string, as: string) =>
  ["parameters.arrow", "optimizer.arrow", "gradients.arrow"].every((name) =>
    bytesOf(out, name).equals(bytesOf(as, name)),
  );
const leftovers = (out: string) =>
  readdirSync(out, { recursive: true, encoding: "utf8" }).filter((name) => /(^|\/)\./.test(name));

// What each command comes to where nothing happens to it.
const [whole, longer, swept] = ["whole", "longer", "swept"].map((name) => join(folder, name));
await run([...fit, "--out", whole]);
await run(["fit", "--resume", whole, ...resume, "--out", longer]);
await run([...sweep, "--out", swept]);
/** Milliseconds that each takes in a process of its own, from when its folder is there. */
const durations = {
  fit: await timed([...fit, "--out", join(folder, "timed-fit")], join(folder, "timed-fit")),
  resume: await timed(["fit", "--resume", whole, ...resume, "--out", join(folder, "timed")], join(folder, "timed")),
  sweep: await timed([...sweep, "--out", join(folder, "timed-sweep")], join(folder, "timed-sweep")),
};

async function timed(args: string[], out: string): Promise<number> {
  const child = start(args);
  const closed = ended(child);
  await begun(child, out);
  const began = performance.now();
  await closed;
  return performance.now() - began;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Waits until a command has taken its folder. */
async function begun(child: ChildProcess, out: string): Promise<void> {
  while (!hasEnded(child) && !existsSync(join(out, lockFile))) await wait(2);
}

function start(args: string[]): ChildProcess {
  const script = join(projectRoot, "src", "cli", "splatbook.js");
  return spawn(process.execPath, [script, ...args], { stdio: "ignore" });
}

function ended(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.on("close", resolve));
}

/** Whether files of a folder, or of one in it, are being written. */
function isWriting(out: string): boolean {
  const folders = [out, ...[1, 2, 3].map((seed) => join(out, `seed=${seed}`))];
  return folders.some((path) => [".splatbook-next", ".splatbook-commit"].some((name) => existsSync(join(path, name))));
}

let whileWriting = 0;
for (let i = 0; i < kills; i++) {
  const out = join(folder, `killed${i}`);
  const kind = (["fit", "resume", "sweep"] as const)[i % 3];
  if (kind === "resume") cpSync(whole, out, { recursive: true });
  const command = kind === "fit" ? [...fit, "--out", out] : kind === "sweep" ? [...sweep, "--out", out] : [];
  const child = start(kind === "resume" ? ["fit", "--resume", out, ...resume] : command);
  const closed = ended(child);
  await begun(child, out);
  const at = performance.now() + durations[kind] * Math.random() * 0.9;
  let step: number | undefined;
  while (!hasEnded(child) && performance.now() < at) {
    step = stepOf(out) ?? step;
    await wait(3);
  }
  if (i % 2 === 1) {
    while (!hasEnded(child) && !isWriting(out)) await wait(0);
    const until = performance.now() + 12 * Math.random();
    while (performance.now() < until);
  }
  step = stepOf(out) ?? step;
  const cameTooLate = hasEnded(child);
  child.kill("SIGKILL");
  await closed;
  if (cameTooLate) {
    // The machine is less busy than it was, or the random moment too late: that is no kill.
    durations[kind] *= 0.8;
    rmSync(out, { recursive: true, force: true });
    i--;
    continue;
  }
  durations[kind] *= 1.05;
  if (existsSync(out) && isWriting(out)) whileWriting++;

  const name = `kill ${i}, ${kind}`;
  const problemsBefore = problems.length;
  const left = existsSync(out) ? stepOf(out) : undefined;
  check(step === undefined || left! >= step, `${name}: step ${left} is left, step ${step} was kept`);
  if (left !== undefined) {
    const said = await run(["verify", out]);
    check(said === undefined, `${name}: ${said}`);
  }
  if (kind === "resume") {
    const said = await run(["fit", "--resume", out, ...resume]);
    check(said === undefined || /has done 1200 steps already/.test(said), `${name}: ${said}`);
    check(isSame(out, longer), `${name}: the bits differ`);
  } else {
    let said = await run(command);
    if (kind === "fit" && left !== undefined) {
      check(/holds another run already; continue it with --resume/.test(said ?? ""), `${name}: ${said}`);
      said = left < 600 ? await run(["fit", "--resume", out, "--quiet"]) : undefined;
    }
    check(said === undefined, `${name}: ${said}`);
    const pairs =
      kind === "fit" ? [[out, whole]] : [1, 2, 3].map((n) => [join(out, `seed=${n}`), join(swept, `seed=${n}`)]);
    for (const [one, other] of pairs) check(isSame(one, other), `${name}: the bits differ in ${one}`);
  }
  check(leftovers(out).length === 0, `${name}: ${leftovers(out)} is left behind`);
  if (problems.length === problemsBefore) rmSync(out, { recursive: true, force: true });
  for (const problem of problems.slice(problemsBefore)) console.error(problem);
}
console.log(`${kills} kills, ${whileWriting} of them with files half written or moved: ${problems.length} problems`);
if (problems.length === 0) rmSync(folder, { recursive: true, force: true });
process.exit(problems.length === 0 ? 0 : 1);
