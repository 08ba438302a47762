import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { type Job, train } from "../../../src/components/training/job.js";
import type { Step } from "../../../src/components/training/step.js";
import type { TrainConfig } from "../../../src/engine/config.js";
import { cpuBackend } from "../../../src/engine/cpu/pipeline.js";
import { rawNames } from "../../../src/engine/model/blobs.js";
import type { Snapshot } from "../../../src/engine/training/snapshot.js";
import { Trainer } from "../../../src/engine/training/trainer.js";
import { scene } from "../../support/scenes.js";

/** A small job on the CPU, without workers. */
function job(overrides: Partial<Job> = {}): Job {
  const { image } = scene({});
  const engine = { kind: "cpu", backend: () => cpuBackend } as unknown as Job["engine"];
  return { engine, image: { image, original: image, name: "small" }, blobs: 30, steps: 6, ...overrides };
}

const rawColumns = (table: Step["parameters"], { parameterization }: TrainConfig) =>
  Float32Array.from(rawNames(parameterization).flatMap((name) => Array.from(table.getChild(name)!.toArray())));

const pause = () => new Promise((resolve) => setTimeout(resolve));

describe("a run outside a cell", () => {
  it("has `finished`, and ends its loops, after its last step", async () => {
    const run = train(job());
    const snapshots: Snapshot[] = [];
    for await (const snapshot of run.snapshots()) snapshots.push(snapshot);
    assert.equal((await run.finished)?.step, 6);
    assert.equal(snapshots.at(-1), await run.finished);
  });

  it("has them when it is stopped, also before its first step, with the last state read back", async () => {
    const run = train(job({ steps: 1e6 }));
    for await (const { step } of run.snapshots()) if (step > 2) run.stop();
    const last = await run.finished;
    assert.ok(last && last.step < 1e6, `${last?.step} steps`);
    const { step } = run.inspection!.state;
    assert.ok(step >= last.step, `read back at ${step}, after a snapshot at ${last.step}`);
    const stopped = train(job());
    stopped.stop();
    assert.equal(await stopped.finished, undefined);
  });

  it("passes on the error of a run that fails, to `finished` and to its loops", async () => {
    const run = train(
      job({
        afterStep({ step }) {
          if (step === 2) throw new Error("The hook failed.");
        },
      }),
    );
    const loops = [run.snapshots(), run.steps()].map(async (values) => {
      for await (const _ of values);
    });
    await Promise.all([run.finished, ...loops].map((end) => assert.rejects(end, /The hook failed/)));
  });

  it("can be continued, and has `finished` again", async () => {
    const run = train(job());
    await run.finished;
    run.resume();
    assert.equal((await run.finished)?.step, 12);
  });
});

describe("Run.steps()", () => {
  it("yields every step with its loss, parameters and gradients", async () => {
    const run = train(job());
    const steps: Step[] = [];
    for await (const step of run.steps()) steps.push(step);
    assert.deepEqual(
      steps.map(({ step }) => step),
      [1, 2, 3, 4, 5, 6],
    );
    for (const { step, loss, parameters, gradients } of steps) {
      const trainer = new Trainer(run.config, run.target.image, cpuBackend);
      for await (const _ of trainer.run({ until: step - 1 }));
      const before = await trainer.inspect();
      assert.deepEqual(rawColumns(gradients, run.config), before.gradients);
      let last: Snapshot | undefined;
      for await (const snapshot of trainer.run({ until: step })) last = snapshot;
      assert.equal(loss, last?.loss);
      assert.deepEqual(rawColumns(parameters, run.config), trainer.state.parameters);
      assert.equal(gradients.schema.metadata.get("parameters_step"), String(step - 1));
    }
  });

  it("changes no bit of training, with density control either", async () => {
    const [followed, free] = [0, 1].map(() => train(job({ preset: "quality", steps: 40, growEvery: 5 })));
    for await (const _ of followed.steps());
    await free.finished;
    assert.deepEqual(followed.state, free.state);
  });

  it("makes training wait for the loop, and lets it continue after the loop", async () => {
    const run = train(job({ steps: 50 }));
    for await (const { step } of run.steps()) {
      await pause();
      assert.equal(run.step, step);
      if (step === 3) break;
    }
    assert.equal((await run.finished)?.step, 50);
  });
});

describe("`afterStep` of a job", () => {
  it("is called after each step, and training waits for it", async () => {
    const steps: number[] = [];
    const run = train(
      job({
        async afterStep({ step, gradients }) {
          steps.push(step, gradients.numRows);
          await pause();
          assert.equal(run.step, step);
        },
      }),
    );
    await run.finished;
    assert.deepEqual(
      steps,
      [1, 2, 3, 4, 5, 6].flatMap((step) => [step, 30]),
    );
  });
});

it("a run in a cell yields its metrics once more when it fails, so that a chart of all of them can mark where", async () => {
  let fail = () => {};
  const failure = new Promise<void>((_, reject) => {
    fail = () => reject(new Error("The hook failed."));
  });
  const inCell = new Promise<void>(() => {});
  const run = train(job({ afterStep: ({ step }) => (step === 2 ? failure : undefined) }), inCell);
  const errors: unknown[] = [];
  for await (const { numRows } of run.metrics()) {
    errors.push(run.error?.message);
    if (run.error) break;
    if (numRows === 2) fail();
  }
  assert.equal(errors.at(-1), "The hook failed.");
});
