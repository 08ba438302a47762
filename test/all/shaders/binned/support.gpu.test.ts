import assert from "node:assert/strict";
import { describe } from "vitest";
import { decode, decodeAll, evalBackward, evalFalloff, modelOf } from "../../../../src/engine/model/blob.js";
import { gradientOfMoments, meetsTile, pixelBlob } from "../../../../src/engine/model/support.js";
import { calcUV, tileGrid } from "../../../../src/engine/model/uv.js";
import { it } from "../../../support/gpu.js";
import { runKernel } from "../../../support/kernel.js";
import { directScene, scene } from "../../../support/scenes.js";

describe("the support of a blob", () => {
  for (const [name, job, mostOver] of [
    ["smoothstep", scene({ blobs: 200, covarianceScale: 3e-3 }, 64, 48), 1.1],
    // Thin blobs may overlap a tile without containing one of its pixels.
    ["direct", directScene({ blobs: 200 }, 64, 48), 1.3],
  ] as const) {
    it(`overlaps every tile with a pixel in it, and few others: ${name} blobs`, () => {
      const { config, image, state } = job;
      const tile: [number, number] = [8, 4];
      const { across, down } = tileGrid(image, tile);
      const uv = calcUV(image, image);
      let needed = 0;
      let met = 0;
      for (const blob of decodeAll(state.parameters, modelOf(config, image))) {
        for (let row = 0; row < down; row++) {
          for (let column = 0; column < across; column++) {
            let hasPixel = false;
            for (let y = row * 4; y < row * 4 + 4; y++) {
              for (let x = column * 8; x < column * 8 + 8; x++) {
                hasPixel ||= evalFalloff(blob, x * uv.scaleX, y * uv.scaleY) > 0;
              }
            }
            const meets = meetsTile(pixelBlob(blob, uv), column, row, tile);
            assert.ok(meets || !hasPixel, `tile ${column}, ${row}`);
            if (hasPixel) needed++;
            if (meets) met++;
          }
        }
      }
      assert.ok(met < mostOver * needed, `${met} tiles met, ${needed} needed`);
    });
  }

  for (const [name, job] of [
    ["smoothstep", scene({ blobs: 64, covarianceScale: 3e-3, tile: "8x4" }, 64, 48)],
    ["direct", directScene({ blobs: 64, tile: "8x4" }, 64, 48)],
  ] as const) {
    it(`overlaps the same tiles as in the reference: ${name} blobs`, async ({ gpu }) => {
      const renderSize = { width: 64, height: 40 };
      const { across, count } = tileGrid(renderSize, [8, 4]);
      const code = `
      #import binned/support.wgsl
      #import shared/parameters.wgsl
      @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
        let blob = pixelBlob(loadBlob(i), calcUV(vec2f(dispatch.renderSize), vec2f(job.textureSize)));
        let range = tilesAround(blob, dispatch.renderSize);
        for (var y = range.low.y; y < range.high.y; y++) {
          for (var x = range.low.x; x < range.high.x; x++) {
            result[${count}u * i + y * ${across}u + x] = u32(meetsTile(blob, vec2u(x, y)));
          }
        }
      }`;
      const { words } = await runKernel(gpu, job, { code, words: 64 * count, renderSize });
      const uv = calcUV(renderSize, job.image);
      let different = 0;
      for (let i = 0; i < 64; i++) {
        const blob = pixelBlob(decode(job.state.parameters, i, modelOf(job.config, job.image)), uv);
        for (let t = 0; t < count; t++) {
          const expected = meetsTile(blob, t % across, Math.floor(t / across), [8, 4]);
          if (Boolean(words[count * i + t]) !== expected) different++;
        }
      }
      // A tile that the ellipse barely touches may differ in float32.
      assert.ok(different <= 1, `${different} of ${64 * count} differ`);
      assert.ok(words.some((word) => word === 1) && words.some((word) => word === 0));
    });
  }
});

describe("gradientOfMoments()", () => {
  it("is the sum of the gradients at each pixel", () => {
    const { config, image, state } = scene({ covarianceScale: 0.02 });
    const blob = decode(state.parameters, 3, modelOf(config, image));
    const gradient = { ...blob };
    const expected = { centerX: 0, centerY: 0, varianceX: 0, varianceY: 0, correlation: 0, opacity: 0 };
    const moments = { sum: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0 };
    for (let k = 0; k < 30; k++) {
      const u = blob.centerX + 0.1 * Math.sin(k);
      const v = blob.centerY + 0.1 * Math.cos(2 * k);
      const dAlpha = Math.sin(3 * k);
      const falloff = evalFalloff(blob, u, v);
      evalBackward(blob, u, v, falloff, dAlpha, gradient);
      for (const name of Object.keys(expected) as (keyof typeof expected)[]) expected[name] += gradient[name];
      const x = (u - blob.centerX) * blob.perDeviationX;
      const y = (v - blob.centerY) * blob.perDeviationY;
      const dPower = dAlpha * blob.opacity * falloff;
      moments.sum += dPower;
      moments.x += dPower * x;
      moments.y += dPower * y;
      moments.xx += dPower * x * x;
      moments.xy += dPower * x * y;
      moments.yy += dPower * y * y;
    }
    const actual = gradientOfMoments(blob, moments);
    for (const [name, value] of Object.entries(expected)) {
      const found = actual[name as keyof typeof expected]!;
      assert.ok(Math.abs(found - value) <= 1e-9 * Math.max(1, Math.abs(value)), `${name}: ${found} is not ${value}`);
    }
  });
});
