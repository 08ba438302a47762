import assert from "node:assert/strict";
import { describe } from "vitest";
import { decodeField, modelOf } from "../../../src/engine/model/blob.js";
import { decodedNames, type TrainingState } from "../../../src/engine/model/blobs.js";
import { type DotChart, drawDots } from "../../../src/engine/model/dots.js";
import { it } from "../../support/gpu.js";
import { directScene, type Scene, scene } from "../../support/scenes.js";

const size = { width: 160, height: 90, radius: 2.5, alpha: 0.6 };

/** Returns the chart of a state as the CPU reference draws it. */
function reference({ config, image }: Scene, { parameters }: TrainingState, chart: DotChart) {
  const column = (name: string) => decodeField(parameters, modelOf(config, image), decodedNames.indexOf(name));
  const colors = [column("red_decoded"), column("green_decoded"), column("blue_decoded")] as const;
  return drawDots(chart, { x: column(chart.x.column), y: column(chart.y.column), colors });
}

describe("the chart of dots on a GPU", () => {
  const scale = (column: string, isLog: boolean, ...domain: [number, number]) => ({ column, isLog, domain });
  const cases: [name: string, job: Scene, chart: DotChart][] = [
    [
      "linear scales",
      scene({ pipeline: "binned", blobs: 300 }),
      { ...size, x: scale("center_x_decoded", false, 0, 1), y: scale("opacity_decoded", false, 0.2, 1) },
    ],
    [
      "a log scale, over a part of the values",
      scene({ pipeline: "tiled", blobs: 300 }),
      { ...size, x: scale("variance_x_decoded", true, 1e-4, 0.05), y: scale("center_y_decoded", false, 0, 0.5) },
    ],
    [
      "two log scales of direct blobs, with values that have no logarithm",
      directScene({ pipeline: "binned", blobs: 400 }),
      { ...size, x: scale("deviation_y_pixels", true, 0.2, 6), y: scale("correlation_decoded", true, 0.01, 1) },
    ],
  ];
  for (const [name, job, chart] of cases) {
    it(`equals the CPU reference at each step: ${name}`, async ({ backend }) => {
      const pipeline = await backend.open(job.config, job.image, job.state);
      try {
        for (const steps of [0, 3]) {
          await pipeline.advance(steps);
          const drawn = (await pipeline.dots!(chart))!;
          const expected = reference(job, await pipeline.state(), chart);
          const differing = drawn.data.filter((level, i) => Math.abs(level - expected.data[i]) > 1).length;
          const covered = expected.data.filter((alpha, i) => i % 4 === 3 && alpha > 0).length;
          assert.ok(covered > 500, `${covered} pixels are covered`);
          // A dot on the border of two pixels may be in either: it changes 21 pixels and as many more.
          assert.ok(differing <= 4 * 42, `${differing} values differ`);
        }
      } finally {
        await pipeline.free();
      }
    });
  }

  it("leaves no buffers", async ({ gpu, backend }) => {
    const [, job, chart] = cases[0];
    const pipeline = await backend.open(job.config, job.image, job.state);
    const before = gpu.liveBuffers;
    await pipeline.dots!(chart);
    assert.equal(gpu.liveBuffers, before);
    await pipeline.free();
  });
});
