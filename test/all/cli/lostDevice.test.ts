import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { jobOf } from "../../../src/cli/fitOptions.js";
import { cpuBackend } from "../../../src/engine/cpu/pipeline.js";
import { readMetrics } from "../../../src/engine/files/arrow.js";
import { type Backend, DeviceLostError, type Pipeline } from "../../../src/engine/pipeline.js";
import type { Engine } from "../../../src/host/node/engine.js";
import { claimFolder } from "../../../src/runs/claimFolder.js";
import { runJob } from "../../../src/runs/runJob.js";
import { smallImage, temporaryFolder } from "../../cli/command.js";

const folder = temporaryFolder();
const imagePath = await smallImage(folder);

/** An engine that loses its first `losses` devices, each after a few answers; and the calls that were lost. */
function losingEngine(losses: number): { engine: Engine; lostAt: string[] } {
  const lostAt: string[] = [];
  const answers = () => (lostAt.length < losses ? [8, 9, 11][lostAt.length % 3] : Number.POSITIVE_INFINITY);
  const nextDevice = () => ({ answersLeft: answers() });
  let device = nextDevice();
  const open: Backend["open"] = async (...job) => {
    if (device.answersLeft === 0) device = nextDevice();
    const own = device;
    const pipeline = await cpuBackend.open(...job);
    const answer = async (name: string, method: (...given: unknown[]) => Promise<unknown>, given: unknown[]) => {
      const answered = own.answersLeft > 0 ? await method.apply(pipeline, given) : undefined;
      if (own.answersLeft > 1) {
        own.answersLeft--;
        return answered;
      }
      if (own.answersLeft === 1) lostAt.push(name);
      own.answersLeft = 0;
      throw new DeviceLostError("The GPU was lost.");
    };
    return new Proxy(pipeline, {
      get(_, name: keyof Pipeline) {
        const value = pipeline[name];
        if (typeof value !== "function") return value;
        const method = value as (...given: unknown[]) => Promise<unknown>;
        return (...given: unknown[]) => (name === "free" ? pipeline.free() : answer(name, method, given));
      },
    });
  };
  const backend = { ...cpuBackend, open };
  return { lostAt, engine: { backend, adaptConfig: (config) => config, isSoftware: false, close() {} } };
}

async function fit(name: string, engine: Engine): Promise<string> {
  const out = join(folder, name);
  const job = await jobOf(imagePath, {
    preset: "quality",
    pipeline: "cpu",
    blobs: 12,
    growEvery: 9,
    steps: 90,
    recordEvery: 3,
    recordGradientsEvery: 6,
    checkpoint: 0.02,
    out,
  });
  const release = await claimFolder(out);
  await runJob(job, engine, {}, new AbortController().signal);
  await release();
  return out;
}

describe("splatbook fit that loses its device twenty times", () => {
  it("writes the same files as a run that loses none", async () => {
    const whole = await fit("whole", losingEngine(0).engine);
    const { engine, lostAt } = losingEngine(20);
    const run = await fit("losing", engine);
    assert.equal(lostAt.length, 20);
    assert.ok(new Set(lostAt).size >= 4, `lost while asked for ${lostAt}`);
    const names = (path: string) => readdirSync(path, { recursive: true, encoding: "utf8" }).sort();
    assert.deepEqual(names(run), names(whole));
    const read = (path: string, name: string) => readFileSync(join(path, name));
    // These files also contain durations.
    const timed = ["run.json", "metrics.arrow"];
    for (const name of names(whole).filter((name) => name.includes(".") && !timed.includes(name))) {
      assert.ok(read(run, name).equals(read(whole, name)), `${name} differs`);
    }
    const [rows, expected] = [run, whole].map((path) =>
      readMetrics(read(path, "metrics.arrow")).rows.map(({ seconds: _, ...row }) => row),
    );
    assert.deepEqual(rows, expected);
  });
});
