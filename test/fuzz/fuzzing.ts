import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { readChecked } from "./oracle.js";
import type { Parser } from "./parsers.js";

/** The result of many readings. */
export interface Fuzzed {
  executions: number;
  /** How many inputs were read; the others were refused. */
  read: number;
  seconds: number;
  slowestMilliseconds: number;
  /** Most bytes that a reading allocated beyond four times its input and output, including garbage. */
  mostExcessBytes: number;
  seed: number;
}

/** The start of a random sequence; with a path, one input of it. */
export interface Start {
  seed?: number;
  path?: string;
}

/** Inputs per large one. */
const largeEvery = 500;

/**
 * Runs a parser on many damaged inputs.
 * @throws Error with the failing input and the command that repeats it
 */
export async function fuzz(
  name: string,
  { inputs, large, ...reader }: Parser<unknown>,
  executions: number,
  { seed, path }: Start = {},
): Promise<Fuzzed> {
  const mixed = large
    ? fc.oneof({ weight: largeEvery - 1, arbitrary: inputs }, { weight: 1, arbitrary: large })
    : inputs;
  let [done, read, slowest, excess] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  const watched = watch(name);
  const start = performance.now();
  const property = fc.asyncProperty(mixed, async (input) => {
    watched.next();
    const reading = await readChecked(reader, input);
    done++;
    if (reading.isRead) read++;
    slowest = Math.max(slowest, reading.milliseconds);
    excess = Math.max(excess, reading.excess);
  });
  const run = await fc.check(property, { numRuns: executions, ...(seed !== undefined && { seed, path }) });
  await watched.end();
  if (run.failed) {
    const again = `npm run fuzz -- "${name}" --seed=${run.seed} --path=${run.counterexamplePath}`;
    const shown = fc.stringify(run.counterexample).slice(0, 300);
    throw new Error(`Input ${done} of ${executions}: ${shown}\nTo repeat it: ${again}`, {
      cause: run.errorInstance,
    });
  }
  return {
    executions: done,
    read,
    seconds: Math.round((performance.now() - start) / 1000),
    slowestMilliseconds: Math.round(slowest),
    mostExcessBytes: excess,
    seed: run.seed,
  };
}

/** Seconds after which a reading counts as hanging. */
const patience = 30;

/** Source of a watchdog thread, since a hanging thread cannot report itself. */
const watching = `
const { workerData: { count, name, patience } } = require("node:worker_threads");
let [seen, times] = [-1, 0];
setInterval(() => {
  const now = Atomics.load(count, 0);
  times = now === seen ? times + 1 : 0;
  seen = now;
  if (times < 3) return;
  require("node:fs").writeSync(2, name + " hangs at input " + now + ".\\n");
  process.kill(process.pid, "SIGKILL");
}, 1000 * patience / 3);
`;

/** Ends the process with a message if a reading hangs. */
function watch(name: string): { next(): void; end(): Promise<unknown> } {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(watching, { eval: true, workerData: { count, name, patience } });
  worker.unref();
  return { next: () => Atomics.add(count, 0, 1), end: () => worker.terminate() };
}
