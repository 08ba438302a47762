import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { cpuBackend } from "../../src/engine/cpu/pipeline.js";
import { checkGradients } from "../../src/engine/gradientCheck.js";
import type { Backend, Pipeline } from "../../src/engine/pipeline.js";
import { models, scene } from "../support/scenes.js";

/** Returns the CPU backend with changed pipelines. */
function changed(change: (pipeline: Pipeline) => void): Backend {
  const open: Backend["open"] = async (...job) => {
    const pipeline = await cpuBackend.open(...job);
    change(pipeline);
    return pipeline;
  };
  return { ...cpuBackend, check: () => {}, open };
}

const { config } = scene({ blobs: 4, pipeline: "cpu" });

async function check(backend: Backend, overrides: object = {}) {
  const result = (await checkGradients(backend, { ...config, ...overrides }))!;
  return { ...result, wrong: result.groups.filter(({ agrees }) => !agrees) };
}

describe("checkGradients()", () => {
  it("passes for every model, and fails for a wrong sign of a gradient hundreds of times weaker than the largest", async () => {
    let smallest = 1;
    for (const model of [{}, { background: "white" }, ...models]) {
      assert.deepEqual((await check(cpuBackend, model)).wrong, [], JSON.stringify(model));
      let fraction = 1;
      const flipped = changed((pipeline) => {
        const compute = pipeline.computeGradients.bind(pipeline);
        pipeline.computeGradients = async () => {
          const gradients = await compute();
          // The centres are the first two fields.
          const centers = [...gradients.subarray(0, 6).map(Math.abs)];
          const weakest = centers.indexOf(Math.min(...centers));
          fraction = centers[weakest] / Math.max(...centers);
          return gradients.with(weakest, -gradients[weakest]);
        };
      });
      const { wrong } = await check(flipped, model);
      assert.deepEqual(
        wrong.map(({ group }) => group),
        ["center"],
        JSON.stringify(model),
      );
      smallest = Math.min(smallest, fraction);
    }
    assert.ok(smallest < 1 / 400, String(smallest));
  });

  describe("with a parameter clamped at a ceiling within the reach of the difference", () => {
    // The opacity of the first of three blobs.
    const slot = 8 * 3;
    /** Clamps the parameter at a ceiling `above` it, in units of the difference's reach. */
    const clamped = (above: number, gradientOf: (own: number) => number) =>
      changed((pipeline) => {
        const load = pipeline.load.bind(pipeline);
        let ceiling: number;
        pipeline.load = (state) => {
          const parameters = state.parameters.slice();
          parameters[slot] = Math.min(parameters[slot], ceiling);
          return load({ ...state, parameters });
        };
        const compute = pipeline.computeGradients.bind(pipeline);
        pipeline.computeGradients = async () => {
          const state = await pipeline.state();
          ceiling = state.parameters[slot] + above / 128;
          await pipeline.load(state);
          const gradients = await compute();
          return gradients.with(slot, gradientOf(gradients[slot]));
        };
      });
    const opacity = async (backend: Backend) => (await check(backend)).groups.find(({ group }) => group === "opacity")!;

    it("passes for the slope on the parameter's side", async () => {
      const { agrees, disagreement } = await opacity(clamped(0.3, (own) => own));
      assert.ok(agrees && disagreement < 0.005, String(disagreement));
      assert.equal((await opacity(clamped(-0.3, () => 0))).agrees, true);
    });

    it("fails for the slope on the other side, for the mean, and for a wrong sign", async () => {
      assert.equal((await opacity(clamped(0.3, () => 0))).agrees, false);
      assert.equal((await opacity(clamped(-0.3, (own) => own))).agrees, false);
      assert.equal((await opacity(clamped(0.3, (own) => own / 2))).agrees, false);
      assert.equal((await opacity(clamped(0.3, (own) => -own))).agrees, false);
    });
  });

  it("stops if its signal aborts", async () => {
    assert.equal(await checkGradients(cpuBackend, config, { signal: AbortSignal.abort() }), undefined);
  });
});
