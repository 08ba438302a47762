import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { heaviestAt, heaviestThing } from "../../../src/components/lab/heaviest.js";
import { blendSteps, pixelStack } from "../../../src/components/learn/blending/pixelStack.js";
import { scene } from "../../support/scenes.js";
import { listAt, momentOf } from "../learn/moment.js";

describe("heaviestAt()", () => {
  for (const blend of ["over", "sum"] as const) {
    it(`is the blob with the largest αT in the pixel's whole tile list, blended by ${blend}`, async () => {
      const drawn = await momentOf(scene({ blobs: 60, covarianceScale: 0.1, blend, background: "white" }));
      const found = new Set<number | undefined>();
      for (let y = 0; y < drawn.target.height; y += 3) {
        for (let x = 0; x < drawn.target.width; x += 3) {
          const steps = blendSteps(pixelStack(drawn, listAt(drawn, x, y), x, y).blobs, blend);
          const most = Math.max(0, ...steps.map(({ weight }) => weight));
          const expected = most > 0 ? steps.find(({ weight }) => weight === most)!.index : undefined;
          assert.equal(heaviestAt(drawn, x, y), expected, `pixel ${x}, ${y}`);
          found.add(expected);
        }
      }
      assert.ok(found.size > 5, `${found.size} different ones`);
    });
  }

  it("names the blob at a position in fractions of the image", async () => {
    const drawn = await momentOf(scene({ blobs: 60, covarianceScale: 0.1 }));
    const { width, height } = drawn.target;
    assert.equal(heaviestThing(drawn, 9.5 / width, 6.5 / height), `blob:${heaviestAt(drawn, 9, 6)}`);
  });
});
