import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { cpuBackend } from "../../src/engine/cpu/pipeline.js";
import { checkGradients } from "../../src/engine/gradientCheck.js";
import type { Backend, Pipeline } from "../../src/engine/pipeline.js";
import { models, scene } from "../support/scenes.js";

/** The CPU's backend, with something changed of its pipelines. */
function changed(change: (pipeline: Pipeline) => void): Backend {
  const open: Backend["open"] = async (...given) => {
    const pipeline = await cpuBackend.open(...given);
    change(pipeline);
    return pipeline;
  };
  return { ...cpuBackend, check: () => {}, open };
}

const { config } = scene({ blobs: 4, pipeline: "cpu" });

async function check(backend: Backend, given: object = {}) {
  const result = (await checkGradients(backend, { ...config, ...given }))!;
  return { ...result, wrong: result.groups.filter(({ agrees }) => !agrees) };
}

describe("checkGradients()", () => {
  it("passes for every model, and fails for a wrong sign of the weakest gradient, though its group's largest is hundreds of times as large", async () => {
    let least = 1;
    for (const model of [{}, { background: "white" }, ...models]) {
      assert.deepEqual((await check(cpuBackend, model)).wrong, [], JSON.stringify(model));
      let share = 1;
      const flipped = changed((pipeline) => {
        const compute = pipeline.computeGradients.bind(pipeline);
        pipeline.computeGradients = async () => {
          const gradients = await compute();
          // Of the blobs' centres, the first two fields.
          const centers = [...gradients.subarray(0, 6).map(Math.abs)];
          const weakest = centers.indexOf(Math.min(...centers));
          share = centers[weakest] / Math.max(...centers);
          return gradients.with(weakest, -gradients[weakest]);
        };
      });
      const { wrong } = await check(flipped, model);
      assert.deepEqual(
        wrong.map(({ group }) => group),
        ["center"],
        JSON.stringify(model),
      );
      least = Math.min(least, share);
    }
    assert.ok(least < 1 / 400, String(least));
  });

  describe("where a parameter is held below a ceiling that the difference reaches over", () => {
    // Opacity of the first of three blobs.
    const slot = 8 * 3;
    /** The ceiling is so far above the parameter, in units of the difference's reach. */
    const held = (above: number, gradientOf: (own: number) => number) =>
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

    it("passes for the slope of the side on which the parameter is", async () => {
      const { agrees, disagreement } = await opacity(held(0.3, (own) => own));
      assert.ok(agrees && disagreement < 0.005, String(disagreement));
      assert.equal((await opacity(held(-0.3, () => 0))).agrees, true);
    });

    it("fails for the slope of the other side, for their mean, and for a wrong sign", async () => {
      assert.equal((await opacity(held(0.3, () => 0))).agrees, false);
      assert.equal((await opacity(held(-0.3, (own) => own))).agrees, false);
      assert.equal((await opacity(held(0.3, (own) => own / 2))).agrees, false);
      assert.equal((await opacity(held(0.3, (own) => -own))).agrees, false);
    });

    it("at the very ceiling passes for the slope of either side, and fails for their mean", async () => {
      for (const share of [0, 1]) {
        const { agrees } = await opacity(held(0, (own) => share * own));
        assert.equal(agrees, true, `${share}`);
      }
      assert.equal((await opacity(held(0, (own) => own / 2))).agrees, false);
    });
  });
});
