import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { alphaOf, decodeAll, evalFalloff, modelOf } from "../../../src/engine/model/blob.js";
import { Reference } from "../../support/reference.js";
import { directScene, type Scene, scene, setParameter } from "../../support/scenes.js";

const drawn = ({ config, image, state }: Scene) => new Reference(config, image, state).render(image);

/** Asserts the colour and the transmittance of each pixel of a render. */
async function assertPixels(job: Scene, expected: (x: number, y: number) => number[]): Promise<void> {
  const { width, height, data } = await drawn(job);
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (const [channel, value] of expected(pixel % width, Math.floor(pixel / width)).entries()) {
      const actual = data[4 * pixel + channel];
      const allowed = 1e-6 * Math.max(1, Math.abs(value));
      assert.ok(Math.abs(actual - value) <= allowed, `pixel ${pixel}, channel ${channel}: ${actual} is not ${value}`);
    }
  }
}

describe("a sum of blobs", () => {
  for (const background of ["white", "black"] as const) {
    for (const parameterization of ["smoothstep", "direct"] as const) {
      it(`adds colours times alphas to ${background}: ${parameterization} blobs`, async () => {
        const options = { background, blend: "sum", blobs: 40 };
        const job = parameterization === "direct" ? directScene(options) : scene({ ...options, covarianceScale: 0.02 });
        setParameter(job, 8, 1);
        const blobs = decodeAll(job.state.parameters, modelOf(job.config, job.image));
        const behind = background === "white" ? 1 : 0;
        let brightest = 0;
        await assertPixels(job, (x, y) => {
          const sum = [behind, behind, behind];
          for (const blob of blobs) {
            const alpha = blob.opacity * evalFalloff(blob, x / 20, y / 14);
            brightest = Math.max(brightest, alpha);
            for (const [channel, color] of [blob.red, blob.green, blob.blue].entries()) sum[channel] += alpha * color;
          }
          return [...sum, 1];
        });
        assert.ok(brightest > 0.99, "a pixel is near the centre of a blob");
      });
    }
  }

  it("does not depend on the order of the blobs", async () => {
    const job = directScene({ blobs: 30 });
    const reversed = { ...job, state: structuredClone(job.state) };
    for (let field = 0; field < 9; field++) reversed.state.parameters.subarray(30 * field, 30 * (field + 1)).reverse();
    assert.notDeepEqual(reversed.state.parameters, job.state.parameters);
    const { data } = await drawn(job);
    await assertPixels(reversed, (x, y) => [...data.subarray(4 * (20 * y + x), 4 * (20 * y + x) + 4)]);
  });
});

describe("alpha compositing", () => {
  for (const background of ["original", "white", "black"] as const) {
    it(`multiplies the transmittance by 1 − α, ${background} background`, async () => {
      const job = directScene({ background, blend: "over", blobs: 40 });
      const blobs = decodeAll(job.state.parameters, modelOf(job.config, job.image));
      await assertPixels(job, (x, y) => {
        const color = [0, 0, 0];
        let transmittance = 1;
        for (const blob of blobs) {
          if (transmittance < 1 / 255) break;
          const alpha = alphaOf(blob, evalFalloff(blob, x / 20, y / 14));
          assert.ok(alpha <= 0.99);
          for (const [channel, c] of [blob.red, blob.green, blob.blue].entries()) {
            color[channel] += alpha * transmittance * c;
          }
          transmittance *= 1 - alpha;
        }
        const pixel = {
          original: (c: number) => c * (1 - transmittance) + transmittance,
          white: (c: number) => c + transmittance,
          black: (c: number) => c,
        }[background];
        return [...color.map(pixel), transmittance];
      });
    });
  }
});

describe("a direct blob", () => {
  it("decodes to its centre, deviations and correlation in pixels", () => {
    const job = directScene({ blobs: 1 }, 40, 30);
    const values = [11.5, 7.25, Math.log(3), Math.log(1.5), Math.atanh(0.6), 2, -1, 0.5, 0];
    for (const [field, value] of values.entries()) setParameter(job, field, value, 0);
    const [blob] = decodeAll(job.state.parameters, modelOf(job.config, job.image));
    const actual = [
      blob.centerX * 40,
      blob.centerY * 30,
      blob.varianceX * 40 ** 2,
      blob.varianceY * 30 ** 2,
      blob.correlation,
      blob.red,
      blob.green,
      blob.blue,
    ];
    // With the lowest variance added, and the correlation bounded.
    const expected = [11.5, 7.25, 9.04, 2.29, 0.999 * 0.6, 2, -1, 0.5];
    for (const [k, value] of expected.entries())
      assert.ok(Math.abs(actual[k] - value) < 1e-5, `${actual[k]}, ${value}`);
  });

  it("has finite colours and gradients for extreme parameters", async () => {
    for (const extreme of [-60, 60]) {
      const job = directScene({ blobs: 1, blend: "over" });
      for (const [field, value] of [10, 7, -60, -60, extreme, 1, 1, 1, extreme].entries()) {
        setParameter(job, field, value, 0);
      }
      const { data } = await drawn(job);
      assert.ok(data.every(Number.isFinite));
      const { gradients } = new Reference(job.config, job.image, job.state).evaluate();
      assert.ok(gradients.every(Number.isFinite));
    }
  });
});
