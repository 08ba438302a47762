import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { smoothstep } from "../../../src/engine/model/blob.js";
import { lossDifference } from "../../../src/engine/model/oracle.js";
import { Reference } from "../../support/reference.js";
import { scene } from "../../support/scenes.js";

describe("lossDifference()", () => {
  it("is the difference of the loss of the image, and draws only tiles with the blob", () => {
    const job = scene({ blobs: 12, seed: 6, covarianceScale: 1e-3 }, 40, 32);
    const { parameters } = job.state;
    const reference = new Reference(job.config, job.image, job.state);
    const lossAt = (slot: number, by: number) =>
      reference.evaluate(Float64Array.from(parameters).with(slot, parameters[slot] + by)).loss;
    const [blob, h] = [4, 0.05];
    const [column, row] = [0, 12].map((field) =>
      Math.floor([40, 32][field / 12] * smoothstep(parameters[field + blob])),
    );
    // The farthest corner.
    const [x, y] = [column < 20 ? 39 : 0, row < 16 ? 31 : 0];
    const changed = { ...job.image, data: job.image.data.slice() };
    changed.data[4 * (40 * y + x)] ^= 255;
    for (const slot of [blob, 36 + blob, 60 + blob]) {
      const expected = (lossAt(slot, h) - lossAt(slot, -h)) / (2 * h);
      const difference = lossDifference(job.config, job.image, parameters, slot, h);
      assert.ok(
        Math.abs(difference - expected) < 1e-9 * Math.abs(expected),
        `slot ${slot}: ${difference} is not ${expected}`,
      );
      assert.equal(lossDifference(job.config, changed, parameters, slot, h), difference);
    }
  });
});
