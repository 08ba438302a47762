import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { it, vi } from "vitest";
import { type Job, train } from "../../../src/components/training/job.js";
import { cpuBackend } from "../../../src/engine/cpu/pipeline.js";
import { parametersFile } from "../../../src/engine/files/arrow.js";
import type { Backend } from "../../../src/engine/pipeline.js";
import { Trainer } from "../../../src/engine/training/trainer.js";
import { answerRequests } from "../../../src/host/workerClient.js";
import { scene } from "../../support/scenes.js";

const tasks: Record<string, (...args: never[]) => unknown> = { parametersFile };

/** The page's worker, in this thread. */
class ThisThread extends EventTarget {
  readonly postMessage = answerRequests(
    (data) => this.dispatchEvent(new MessageEvent("message", { data })),
    ({ task, args }: { task: string; args: never[] }) => tasks[task](...args),
  );
}

/** Starts an endless run whose gradients take a third of a second each time that they are inspected. */
function startSlowRun() {
  const { image } = scene({});
  const inspectedAt: number[] = [];
  vi.stubGlobal("Worker", ThisThread);
  const backend: Backend = {
    ...cpuBackend,
    async open(...args) {
      const pipeline = await cpuBackend.open(...args);
      const { computeGradients } = pipeline;
      pipeline.computeGradients = async () => {
        inspectedAt.push(pipeline.step);
        const gradients = await computeGradients.call(pipeline);
        await setTimeout(300);
        return gradients;
      };
      return pipeline;
    },
  };
  const engine = { kind: "cpu", backend: () => backend } as unknown as Job["engine"];
  return { run: train({ engine, image, blobs: 30, steps: 1e9 }), inspectedAt };
}

const stepOf = (table: { schema: { metadata: Map<string, string> } }) => Number(table.schema.metadata.get("step"));

it("tables of parameters follow a run whose gradients take long, and `inspect` returns both at the current step", async () => {
  const { run, inspectedAt } = startSlowRun();
  const readState = vi.spyOn(Trainer.prototype, "readState");
  for await (const table of run.parameters()) {
    // Checkpoints of the trainer alone come less often.
    if (readState.mock.calls.length > 1 && stepOf(table) > Math.max(...inspectedAt)) break;
  }
  const asked = run.step;
  const { state, gradients } = (await run.inspect())!;
  assert.ok(state.step >= asked, `step ${state.step}, asked at ${asked}`);
  const another = await cpuBackend.open(run.config, run.target.image, state);
  assert.deepEqual(gradients, await another.computeGradients());
  await another.free();
  run.stop();
  await run.finished;
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
