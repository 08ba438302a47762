import assert from "node:assert/strict";
import { it } from "vitest";
import { attenuationOf, lowestTransmittance } from "../../../src/engine/model/blend.js";
import { alphaOf, decodeAll, evalFalloff, modelOf } from "../../../src/engine/model/blob.js";
import { countPairs } from "../../../src/engine/model/pairs.js";
import { calcUV } from "../../../src/engine/model/uv.js";
import { directScene, type Scene, scene, setParameter } from "../../support/scenes.js";

/** Evaluates every blob at every pixel. */
function countByForce({ config, image, state }: Scene) {
  const blobs = decodeAll(state.parameters, modelOf(config, image));
  const uv = calcUV(image, image);
  const attenuation = attenuationOf(config.blend);
  const pairs = { inside: 0, blended: 0 };
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      let transmittance = 1;
      for (const blob of blobs) {
        const falloff = evalFalloff(blob, x * uv.scaleX + uv.offsetX, y * uv.scaleY + uv.offsetY);
        if (falloff === 0) continue;
        pairs.inside++;
        if (transmittance < lowestTransmittance) continue;
        pairs.blended++;
        transmittance *= 1 - attenuation * alphaOf(blob, falloff);
      }
    }
  }
  return pairs;
}

it("countPairs() counts the pixels in each blob's support, and those of them that are not opaque yet", () => {
  // Opaque enough that pixels reach the lowest transmittance.
  const over = scene({ blobs: 60, covarianceScale: 0.02 }, 33, 21);
  setParameter(over, 8, 1);
  for (const job of [over, directScene({ blobs: 60 }, 33, 21)]) {
    const { inside, blended } = countByForce(job);
    assert.equal(blended < inside, job.config.blend === "over");
    assert.ok(blended > 1000, `${blended} of ${inside}`);
    const { config, state, image } = job;
    assert.deepEqual(countPairs(config, state.parameters, image), { supported: inside, blended });
  }
});
