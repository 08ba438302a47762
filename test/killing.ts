// Kills fit, fit --resume and sweep, and checks their files: one half at random moments, the other half while they write
// files, after each rename once and then at random disk operations:
// node --import tsx test/killing.ts 1000 > killed.json
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import sharp from "sharp";
import { projectRoot } from "../src/host/node/install.js";
import { lockFile } from "../src/runs/lock.js";
import { candidatePaths } from "../src/runs/staging.js";
import type { EndAt } from "./support/endAt.js";
import { runQuietly } from "./support/runQuietly.js";

const kinds = ["fit", "resume", "sweep"] as const;
type Kind = (typeof kinds)[number];
/** When a command is killed: at a fraction of its time, or at a disk operation. */
type Moment = { share: number } | Omit<EndAt, "folder">;

const kills = Number(process.argv[2] ?? 30);
const folder = mkdtempSync(join(tmpdir(), "splatbook-killing-"));
const image = join(folder, "small.png");
await sharp(join(projectRoot, "data", "images", "astronaut.png"))
  .resize(24, 16)
  .toFile(image);

const [steps, longerSteps] = [600, 1200];
const job = [image, "--preset", "quality", "--pipeline", "cpu", "--blobs", "12", "--quiet"];
const fit = ["fit", ...job, "--steps", String(steps), "--record-gradients-every", "150", "--checkpoint", "0.03"];
const resume = ["--steps", String(longerSteps), "--checkpoint", "0.03", "--quiet"];
const sweep = ["sweep", ...job, "--steps", "100", "--vary", "seed=1,2,3"];
const seeds = [1, 2, 3].map((seed) => `seed-${seed}`);
const reference = join(folder, "reference");

function commandOf(kind: Kind, out: string): string[] {
  return kind === "resume" ? ["fit", "--resume", out, ...resume] : [...(kind === "fit" ? fit : sweep), "--out", out];
}

function start(kind: Kind, out: string, endAt: Omit<EndAt, "folder"> = {}): ChildProcess {
  if (kind === "resume") cpSync(reference, out, { recursive: true });
  const preload = pathToFileURL(join(projectRoot, "test", "support", "endAt.js")).href;
  const script = join(projectRoot, "src", "cli", "splatbook.js");
  return spawn(process.execPath, ["--import", preload, script, ...commandOf(kind, out)], {
    stdio: "ignore",
    env: { ...process.env, SPLATBOOK_END_AT: JSON.stringify({ folder: out, ...endAt }) },
  });
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.on("close", resolve));
const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** Waits until a command has locked its folder. */
async function waitForLock(child: ChildProcess, out: string): Promise<void> {
  while (!hasEnded(child) && !existsSync(join(out, lockFile))) await wait(2);
}

/** Returns the folders of a command's runs. */
const runsOf = (kind: Kind, out: string) => (kind === "sweep" ? seeds.map((seed) => join(out, seed)) : [out]);

/** Returns the step of the run in a folder, or -1 without one. */
function stepOf(out: string): number {
  for (const path of candidatePaths(out, "run.json")) {
    try {
      return JSON.parse(readFileSync(path, "utf8")).step;
    } catch {
      // The file does not exist, or has just been moved.
    }
  }
  return -1;
}

/** Returns whether a folder has staged files. */
function isWriting(out: string): boolean {
  if (!existsSync(out)) return false;
  return readdirSync(out).some((name) => /^\.splatbook-(next$|commit)/.test(name));
}

const leftovers = (out: string) =>
  readdirSync(out, { recursive: true, encoding: "utf8" }).filter((name) => /(^|\/)\./.test(name));

const isSame = (out: string, as: string) =>
  ["parameters.arrow", "optimizer.arrow", "gradients.arrow"].every((name) =>
    readFileSync(join(out, name)).equals(readFileSync(join(as, name))),
  );

// The result of each command without a kill, its operations, and its milliseconds since it locked its folder.
const undisturbed = { fit: reference, resume: join(folder, "longer"), sweep: join(folder, "swept") };
const durations = {} as Record<Kind, number>;
const operations = {} as Record<Kind, { all: number; rename: number }>;
for (const kind of kinds) {
  const out = undisturbed[kind];
  const report = join(folder, "operations.json");
  const child = start(kind, out, { report });
  const closed = ended(child);
  await waitForLock(child, out);
  const began = performance.now();
  await closed;
  durations[kind] = performance.now() - began;
  operations[kind] = JSON.parse(readFileSync(report, "utf8"));
}

const renames = kinds.flatMap((kind) =>
  Array.from({ length: operations[kind].rename }, (_, at) => ({ kind, moment: { only: "rename", at } as const })),
);
const problems: string[] = [];
const counts: Record<string, number> = {};
const count = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};

/** Returns false if the command ended first. */
async function killOnce(name: string, kind: Kind, moment: Moment): Promise<boolean> {
  const out = join(folder, "killed");
  const check = (isSo: boolean, what: string) => {
    if (!isSo) problems.push(`${name}: ${what}`);
  };
  const child = start(kind, out, "share" in moment ? {} : moment);
  const closed = ended(child);
  await waitForLock(child, out);
  const at = "share" in moment ? performance.now() + durations[kind] * moment.share : Number.POSITIVE_INFINITY;
  const runs = runsOf(kind, out);
  const kept = runs.map(() => -1);
  const inspect = () => {
    for (const [i, path] of runs.entries()) kept[i] = Math.max(kept[i], stepOf(path));
  };
  while (!hasEnded(child) && performance.now() < at) {
    inspect();
    await wait(3);
  }
  child.kill("SIGKILL");
  await closed;
  if (child.signalCode !== "SIGKILL") {
    rmSync(out, { recursive: true, force: true });
    return false;
  }
  count(
    `${kind}, ${"share" in moment ? "at a random moment" : moment.only ? "after a rename" : "at a disk operation"}`,
  );
  if ([out, ...runs].some(isWriting)) count("with staged files");

  const left = runs.map(stepOf);
  for (const [i, step] of left.entries()) {
    check(step >= kept[i], `step ${step} is left, step ${kept[i]} was kept`);
    if (step < 0) continue;
    count("runs left");
    const message = await runQuietly(["verify", runs[i]]);
    check(message === undefined, String(message));
  }
  let message = await runQuietly(commandOf(kind, out));
  if (kind === "fit" && left[0] >= 0) {
    check(/already contains another run\. Continue it with --resume/.test(message ?? ""), String(message));
    message = left[0] < steps ? await runQuietly(["fit", "--resume", out, "--quiet"]) : undefined;
  }
  const isOver = kind === "resume" && message?.includes(`has already taken ${longerSteps} steps`);
  check(message === undefined || isOver === true, String(message));
  for (const [i, path] of runsOf(kind, undisturbed[kind]).entries()) {
    check(isSame(runs[i], path), `the bits of ${runs[i]} differ`);
  }
  check(leftovers(out).length === 0, `${leftovers(out)} is left behind`);
  rmSync(out, { recursive: true, force: true });
  return true;
}

for (let done = 0; done < kills; ) {
  const kind = kinds[done % 3];
  const printed = problems.length;
  if (done % 2 === 0) {
    // If the machine is less busy than before, the command has already ended. That does not count as a kill.
    const isKilled = await killOnce(`kill ${done}, ${kind}`, kind, { share: 0.95 * Math.random() });
    durations[kind] *= isKilled ? 1.02 : 0.85;
    if (isKilled) done++;
  } else {
    const rename = renames.shift();
    const delay = 2 * Math.random();
    const next = rename ?? { kind, moment: { at: Math.floor(operations[kind].all * Math.random()), delay } };
    if (await killOnce(`kill ${done}, ${next.kind} at ${JSON.stringify(next.moment)}`, next.kind, next.moment)) done++;
  }
  for (const problem of problems.slice(printed)) console.error(problem);
  if (done % 20 === 0) console.error(`${done} kills, ${problems.length} problems`);
}
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ kills, ...counts, operations, problems }, null, 2));
process.exit(problems.length === 0 ? 0 : 1);
