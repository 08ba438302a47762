import assert from "node:assert/strict";
import { it } from "vitest";
import { type BlobValues, decode, evalBackward, evalFalloff, modelOf } from "../../../src/engine/model/blob.js";
import { gradientOfMoments } from "../../../src/engine/model/support.js";
import { directScene, scene } from "../../support/scenes.js";

it("gradientOfMoments() has the sum of a blob's gradients over pixels", () => {
  for (const { config, image, state } of [scene({ seed: 3 }), directScene({ seed: 3 })]) {
    const blob = decode(state.parameters, 0, modelOf(config, image));
    const moments = { sum: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0 };
    const expected: Record<string, number> = {};
    for (let pixel = 0; pixel < 9; pixel++) {
      const x = (pixel % 3) - 0.7;
      const y = Math.floor(pixel / 3) - 1.2;
      const [u, v] = [blob.centerX + x / blob.perDeviationX, blob.centerY + y / blob.perDeviationY];
      const falloff = evalFalloff(blob, u, v);
      const dAlpha = Math.sin(pixel + 1);
      const dPower = dAlpha * blob.opacity * falloff;
      for (const [name, term] of Object.entries({ sum: 1, x, y, xx: x * x, xy: x * y, yy: y * y }))
        moments[name as keyof typeof moments] += dPower * term;
      const gradient = {} as BlobValues;
      evalBackward(blob, u, v, falloff, dAlpha, gradient);
      for (const [name, value] of Object.entries(gradient)) expected[name] = (expected[name] ?? 0) + value;
    }
    const actual = gradientOfMoments(blob, moments);
    assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort());
    for (const [name, value] of Object.entries(actual))
      assert.ok(Math.abs(value - expected[name]) <= 1e-9 * (1 + Math.abs(value)), `${name}: ${value}`);
  }
});
