import assert from "node:assert/strict";
import type { Table } from "apache-arrow";
import { describe } from "vitest";
import { checkGradients } from "../../../../src/components/training/checkGradients.js";
import { train } from "../../../../src/components/training/job.js";
import { fields } from "../../../../src/engine/fields.js";
import type { Backend } from "../../../../src/engine/pipeline.js";
import type { BrowserEngine } from "../../../../src/host/browser/engine.js";
import { it, shaders } from "../../../support/gpu.js";
import { libraryExamples } from "../../../support/libraryExamples.js";
import { testImage } from "../../../support/scenes.js";

const image = testImage(24, 16);
const job = { image, blobs: 9, steps: 2 };
const absoluteError = (gradient: string) => `
fn loss(rgb: vec3f, targetRgb: vec3f) -> f32 { return dot(abs(rgb - targetRgb), vec3f(1)); }
fn lossGradient(rgb: vec3f, targetRgb: vec3f) -> vec3f { return ${gradient}; }`;

function engineOn(backend: Backend): BrowserEngine {
  const { choices: pipelines } = fields.pipeline;
  return { kind: "software", description: "", pipelines, shaders, backend: () => backend, restart() {}, close() {} };
}

/** Runs an example of the library's page, and returns the values that it logs. */
async function logged(heading: string, engine: BrowserEngine): Promise<unknown[][]> {
  const { code } = libraryExamples.find((example) => example.heading === heading)!;
  const rows: unknown[][] = [];
  const body = code
    .replace(/import (\{.*\}) from "splatbook";/, "const $1 = splatbook;")
    // That `binned` takes them too is shown below.
    .replaceAll("engine, ", 'engine, pipeline: "tiled", ')
    .replace("checkGradients({engine", 'checkGradients({pipeline: "tiled", engine')
    .replace("steps: 50", "steps: 10");
  const names = {
    splatbook: { checkGradients, train },
    engine,
    image,
    console: { log: (...row: unknown[]) => rows.push(row) },
  };
  const example = new Function(...Object.keys(names), `return (async () => {${body}})();`);
  await example(...Object.values(names));
  return rows;
}

describe("a loss and an optimizer in WGSL", () => {
  it("train in the examples of the documentation, and the loss passes the gradient check", async ({ backend }) => {
    const engine = engineOn(backend);
    const withLoss = await logged("A loss in WGSL", engine);
    assert.deepEqual(
      withLoss.slice(0, -1).map(([group]) => group),
      ["center", "variance", "correlation", "color", "opacity"],
    );
    const [agrees, psnr] = withLoss.at(-1)!;
    assert.equal(agrees, true);
    const [[momentumPsnr]] = await logged("An optimizer in WGSL", engine);
    assert.notEqual(psnr, momentumPsnr);
    for (const value of [psnr, momentumPsnr]) assert.ok((value as number) > 8, `${value} dB`);
  });

  for (const pipeline of ["tiled", "binned"] as const) {
    it(`replace those of ${pipeline}`, async ({ backend }) => {
      const optimizer = `fn optimize(state: AdamState, gradient: f32, rate: f32) -> AdamState {
        return AdamState(state.parameter - rate * (gradient + state.first), gradient, 0.0);
      }`;
      const loss = `
        fn loss(rgb: vec3f, targetRgb: vec3f) -> f32 { return 3.0 * dot(rgb - targetRgb, rgb - targetRgb); }
        fn lossGradient(rgb: vec3f, targetRgb: vec3f) -> vec3f { return 6.0 * (rgb - targetRgb); }`;
      const engine = engineOn(backend);
      const run = train({ engine, ...job, pipeline, learningRate: 0.5, loss, optimizer });
      const read = (table: Table) => Array.from(table.getChild("center_x")!.toArray() as Float32Array);
      const steps: number[][][] = [];
      for await (const { parameters, gradients } of run.steps()) steps.push([read(parameters), read(gradients)]);
      const [[before, firstGradients], [after, secondGradients]] = steps;
      for await (const { gradients } of train({ engine, ...job, pipeline, steps: 1 }).steps()) {
        const largest = Math.max(...firstGradients.map(Math.abs));
        for (const [i, gradient] of read(gradients).entries()) {
          assert.ok(Math.abs(firstGradients[i] - 3 * gradient) < 1e-5 * largest);
        }
      }
      for (const [i, value] of before.entries()) {
        assert.ok(Math.abs(after[i] - (value - 0.5 * (firstGradients[i] + secondGradients[i]))) < 1e-5);
      }
    });
  }

  it("are rejected by line if they do not compile, without their functions, and without a GPU", async ({ backend }) => {
    const engine = engineOn(backend);
    await assert.rejects(
      train({ engine, ...job, loss: absoluteError("other") }).finished,
      /^ShaderError: loss\.wgsl:3:\d+: /,
    );
    assert.throws(
      () => train({ engine, ...job, optimizer: "fn adam() {}" }),
      /optimizer must have a function optimize/,
    );
    const onCpu = { ...engine, kind: "cpu" as const };
    assert.throws(() => train({ engine: onCpu, ...job, loss: absoluteError("sign(rgb)") }), /needs a GPU/);
  });
});
