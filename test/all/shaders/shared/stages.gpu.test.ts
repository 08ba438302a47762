import assert from "node:assert/strict";
import { describe } from "vitest";
import { clampGradient, treeReduce } from "../../../../src/engine/model/accumulate.js";
import { corrections, updateBlobs } from "../../../../src/engine/model/adam.js";
import {
  alphaBlend,
  alphaBlendBackward,
  attenuationOf,
  lossBackward,
  lowestTransmittance,
  transformPixelState,
  undoPixelState,
} from "../../../../src/engine/model/blend.js";
import {
  alphaOf,
  type Blob,
  type BlobValues,
  decode,
  decodeAll,
  evalBackward,
  evalFalloff,
  modelOf,
} from "../../../../src/engine/model/blob.js";
import { blobBounds, intersects, type OrientedBox, separates } from "../../../../src/engine/model/bounds.js";
import { ratesAt } from "../../../../src/engine/model/rates.js";
import { calcUV, tileBounds, tileOrigin } from "../../../../src/engine/model/uv.js";
import { uniformGenerator } from "../../../../src/engine/random.js";
import { it } from "../../../support/gpu.js";
import { runKernel } from "../../../support/kernel.js";
import { directScene, scene, setParameter } from "../../../support/scenes.js";

/** An entry point of 64 threads; thread `i` processes item i. */
const main = (body: string) => `
  @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) { ${body} }`;

const writeBlob = (blob: string, at: string) => `
  writeFloat(${at}, ${blob}.center.x); writeFloat(${at} + 1u, ${blob}.center.y);
  writeFloat(${at} + 2u, ${blob}.variance.x); writeFloat(${at} + 3u, ${blob}.variance.y);
  writeFloat(${at} + 4u, ${blob}.correlation);
  writeFloat(${at} + 5u, ${blob}.color.r); writeFloat(${at} + 6u, ${blob}.color.g); writeFloat(${at} + 7u, ${blob}.color.b);
  writeFloat(${at} + 8u, ${blob}.opacity);`;

const numbers = (b: BlobValues) => [
  b.centerX,
  b.centerY,
  b.varianceX,
  b.varianceY,
  b.correlation,
  b.red,
  b.green,
  b.blue,
  b.opacity,
];

/** Compares numbers with a tolerance relative to the expected one, or to `least` if that is larger. */
function assertClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
  what: string,
  least = 1,
): void {
  assert.equal(actual.length, expected.length);
  for (let k = 0; k < expected.length; k++) {
    const allowed = tolerance * Math.max(least, Math.abs(expected[k]));
    const message = `${what}, number ${k}: ${actual[k]} is not ${expected[k]} within ${allowed}`;
    assert.ok(Math.abs(actual[k] - expected[k]) <= allowed, message);
  }
}

/** A scene of raw parameters below 0, above 1 and between, to cover both flat ends of the smoothstep. */
function wideScene(seed: number) {
  const job = scene({ blobs: 64, seed, covarianceScale: 0.05 });
  const random = uniformGenerator(seed + 1);
  for (let slot = 0; slot < job.state.parameters.length; slot++) job.state.parameters[slot] = 2 * random() - 0.5;
  return job;
}

describe("the shared stages", () => {
  const decoding = `
    #import shared/parameters.wgsl
    ${main(`
      let blob = loadBlob(i);
      let ones = Blob(vec2f(1), vec2f(1), 1, vec3f(1), 1);
      let slope = decodeBackward(rawBlob(i), ones);
      ${writeBlob("blob", "18u * i")} ${writeBlob("slope", "18u * i + 9u")}`)}`;

  it("decode and its adjoint agree with the reference", async ({ gpu }) => {
    const job = wideScene(2);
    const { floats } = await runKernel(gpu, job, { code: decoding, words: 64 * 18 });
    for (let i = 0; i < 64; i++) {
      const blob = decode(job.state.parameters, i, modelOf(job.config, job.image));
      assertClose(floats.subarray(18 * i, 18 * i + 18), [...numbers(blob), ...numbers(blob.slope)], 1e-6, `blob ${i}`);
    }
  });

  for (const blend of ["over", "sum"] as const) {
    it(`decode and its adjoint agree with the reference for direct blobs, blend ${blend}`, async ({ gpu }) => {
      const job = directScene({ blobs: 64, blend, seed: 2 }, 50, 30);
      const { floats } = await runKernel(gpu, job, { code: decoding, words: 64 * 18 });
      for (let i = 0; i < 64; i++) {
        const blob = decode(job.state.parameters, i, modelOf(job.config, job.image));
        const expected = [...numbers(blob), ...numbers(blob.slope)];
        assertClose(floats.subarray(18 * i, 18 * i + 18), expected, 2e-5, `blob ${i}`, 1e-5);
        assert.equal(floats[18 * i + 8] === 1, blend === "sum", "the opacity is 1 only in a sum");
      }
    });
  }

  it("eval and its adjoint agree with the reference, inside and outside the support", async ({ gpu }) => {
    const job = wideScene(3);
    const random = uniformGenerator(4);
    const given = Float32Array.from({ length: 128 }, random);
    const code = `
      #import shared/parameters.wgsl
      ${main(`
        let blob = loadBlob(i);
        let uv = vec2f(givenFloat(2u * i), givenFloat(2u * i + 1u));
        let gradient = evalBackward(blob, uv, vec4f(0.1, 0.2, 0.3, 0.4));
        writeFloat(10u * i, eval(blob, uv).a);
        ${writeBlob("gradient", "10u * i + 1u")}`)}`;
    const { floats } = await runKernel(gpu, job, { code, given, words: 640 });
    let outside = 0;
    for (let i = 0; i < 64; i++) {
      const blob = decode(job.state.parameters, i, modelOf(job.config, job.image));
      const falloff = evalFalloff(blob, given[2 * i], given[2 * i + 1]);
      if (falloff === 0) outside++;
      const gradient = { ...blob } as BlobValues;
      evalBackward(blob, given[2 * i], given[2 * i + 1], falloff, 0.4, gradient);
      const expected = [alphaOf(blob, falloff), ...numbers({ ...gradient, red: 0.1, green: 0.2, blue: 0.3 })];
      assertClose(floats.subarray(10 * i, 10 * i + 10), expected, 2e-5, `blob ${i}`);
    }
    assert.ok(outside > 5 && outside < 59, "some points are in the support, some are not");
  });

  for (const blend of ["over", "sum"] as const) {
    it(`eval and its adjoint agree with the reference around alpha's ceiling, blend ${blend}`, async ({ gpu }) => {
      const job = directScene({ blobs: 64, blend, seed: 3 }, 50, 30);
      setParameter(job, 8, 6);
      // Near the centres of the blobs.
      const given = Float32Array.from({ length: 128 }, (_, k) => {
        const [i, axis] = [k >> 1, k % 2];
        const offset = i % 2 ? 0.9 : 0.02;
        return (job.state.parameters[64 * axis + i] + offset) / [50, 30][axis];
      });
      const code = `
        #import shared/parameters.wgsl
        ${main(`
          let blob = loadBlob(i);
          let uv = vec2f(givenFloat(2u * i), givenFloat(2u * i + 1u));
          let gradient = evalBackward(blob, uv, vec4f(0.1, 0.2, 0.3, 0.4));
          writeFloat(10u * i, eval(blob, uv).a);
          ${writeBlob("gradient", "10u * i + 1u")}`)}`;
      const { floats } = await runKernel(gpu, job, { code, given, words: 640 });
      let above = 0;
      for (let i = 0; i < 64; i++) {
        const blob = decode(job.state.parameters, i, modelOf(job.config, job.image));
        const falloff = evalFalloff(blob, given[2 * i], given[2 * i + 1]);
        if (blob.opacity * falloff > 0.99) above++;
        const gradient = { ...blob } as BlobValues;
        evalBackward(blob, given[2 * i], given[2 * i + 1], falloff, 0.4, gradient);
        const expected = [alphaOf(blob, falloff), ...numbers({ ...gradient, red: 0.1, green: 0.2, blue: 0.3 })];
        // For the thinnest blobs the offset in standard deviations is accurate to about 1e-5.
        assertClose(floats.subarray(10 * i, 10 * i + 10), expected, 1e-3, `blob ${i}`);
        if (blob.opacity * falloff > 0.991)
          assert.equal(floats[10 * i] > 0.9905, blend === "sum", `alpha of blob ${i}`);
      }
      assert.ok(above > 10 && above < 54, `${above} of 64 are above the ceiling`);
    });
  }

  it("blobBounds agrees with the reference for round, long, tilted and tiny blobs", async ({ gpu }) => {
    const job = wideScene(5);
    job.config.covarianceScale = 1e-7;
    const code = `
      #import shared/bounds.wgsl
      #import shared/parameters.wgsl
      ${main(`
        let box = blobBounds(loadBlob(i));
        writeFloat(6u * i, box.center.x); writeFloat(6u * i + 1u, box.center.y);
        writeFloat(6u * i + 2u, box.axis.x); writeFloat(6u * i + 3u, box.axis.y);
        writeFloat(6u * i + 4u, box.half.x * 1e4); writeFloat(6u * i + 5u, box.half.y * 1e4);`)}`;
    const { floats } = await runKernel(gpu, job, { code, words: 64 * 6 });
    for (let i = 0; i < 64; i++) {
      const box = blobBounds(decode(job.state.parameters, i, modelOf(job.config, job.image)));
      const expected = [box.centerX, box.centerY, box.axisX, box.axisY, box.halfLength * 1e4, box.halfWidth * 1e4];
      assertClose(floats.subarray(6 * i, 6 * i + 6), expected, 1e-4, `blob ${i}`);
    }
  });

  it("the separating-axis test agrees with the reference, also if only one of the four axes separates", async ({
    gpu,
  }) => {
    const random = uniformGenerator(6);
    const box = (): OrientedBox => {
      const angle = 7 * random();
      const [centerX, centerY, halfLength, halfWidth] = [random(), random(), 0.3 * random(), 0.1 * random()];
      return { centerX, centerY, axisX: Math.cos(angle), axisY: Math.sin(angle), halfLength, halfWidth };
    };
    const separating = ([a, b]: [OrientedBox, OrientedBox]) => {
      const axes = [a, b].flatMap((box) => [
        [box.axisX, box.axisY],
        [-box.axisY, box.axisX],
      ]);
      return axes.map(([x, y]) => separates(x, y, a, b));
    };
    const many = Array.from({ length: 20000 }, (): [OrientedBox, OrientedBox] => [box(), box()]);
    const byOneAxis = [0, 1, 2, 3].flatMap((axis) =>
      many.filter((pair) => separating(pair).every((apart, k) => apart === (k === axis))).slice(0, 10),
    );
    assert.equal(byOneAxis.length, 40);
    const pairs = [...byOneAxis, ...many].slice(0, 64);
    const given = Float32Array.from(
      pairs.flat().flatMap((b) => [b.centerX, b.centerY, b.axisX, b.axisY, b.halfLength, b.halfWidth]),
    );
    const code = `
      #import shared/bounds.wgsl
      fn givenBox(at: u32) -> OrientedBox {
        return OrientedBox(vec2f(givenFloat(at), givenFloat(at + 1u)), vec2f(givenFloat(at + 2u), givenFloat(at + 3u)),
          vec2f(givenFloat(at + 4u), givenFloat(at + 5u)));
      }
      ${main("result[i] = u32(intersects(givenBox(12u * i), givenBox(12u * i + 6u)));")}
      fn unused() -> u32 { return given[0]; }`;
    const { words } = await runKernel(gpu, scene({}), { code, given, words: 64 });
    const expected = pairs.map(([a, b]) => Number(intersects(a, b)));
    assert.deepEqual([...words], expected);
    assert.ok(expected.includes(1));
  });

  it("calcUV and tileBounds agree with the reference, letterboxed and pillarboxed", async ({ gpu }) => {
    for (const renderSize of [
      { width: 48, height: 20 },
      { width: 11, height: 37 },
      { width: 24, height: 20 },
    ]) {
      const job = scene({ tile: "8x4" }, 24, 20);
      const code = `
        #import shared/uv.wgsl
        #import shared/config.wgsl
        ${main(`
          let mapping = calcUV(vec2f(dispatch.renderSize), vec2f(job.textureSize));
          let place = threadPlace(3u, i % WORKGROUP_SIZE, dispatch.renderSize);
          let box = tileBounds(place.origin, mapping);
          let uv = vec2f(place.pixel) * mapping.scale + mapping.offset;
          writeFloat(6u * i, uv.x); writeFloat(6u * i + 1u, uv.y);
          writeFloat(6u * i + 2u, box.center.x); writeFloat(6u * i + 3u, box.center.y);
          writeFloat(6u * i + 4u, box.half.x); writeFloat(6u * i + 5u, box.half.y);`)}`;
      const { floats } = await runKernel(gpu, job, { code, words: 64 * 6, renderSize });
      const uv = calcUV(renderSize, job.image);
      const across = Math.ceil(renderSize.width / 8);
      const origin = tileOrigin(3, across, [8, 4]);
      const box = tileBounds(origin, [8, 4], uv);
      for (let i = 0; i < 32; i++) {
        const u = (origin.x + (i % 8)) * uv.scaleX + uv.offsetX;
        const v = (origin.y + Math.floor(i / 8)) * uv.scaleY + uv.offsetY;
        const expected = [u, v, box.centerX, box.centerY, box.halfLength, box.halfWidth];
        assertClose(floats.subarray(6 * i, 6 * i + 6), expected, 1e-6, `thread ${i}`);
      }
    }
  });

  for (const blend of ["over", "sum"] as const) {
    it(`blending, its undo and its adjoint agree with the reference, and a pixel below 1/255 does not change, blend ${blend}`, async ({
      gpu,
    }) => {
      const attenuation = attenuationOf(blend);
      const random = uniformGenerator(8);
      const items = Array.from({ length: 64 }, (_, i) => ({
        state: {
          red: random(),
          green: random(),
          blue: random(),
          transmittance: i % 4 === 0 ? 0.003 : random(),
          finalCount: 5,
        },
        color: { red: random(), green: random(), blue: random() } as BlobValues,
        alpha: blend === "sum" && i % 4 === 1 ? 1 : 0.99 * random(),
        d: { red: random(), green: -random(), blue: random(), transmittance: random(), finalCount: 0 },
      }));
      const given = Float32Array.from(
        items.flatMap(({ state: s, color: c, alpha, d }) => [
          s.red,
          s.green,
          s.blue,
          s.transmittance,
          c.red,
          c.green,
          c.blue,
          alpha,
          d.red,
          d.green,
          d.blue,
          d.transmittance,
        ]),
      );
      const code = `
      #import shared/blend.wgsl
      fn givenVector(at: u32) -> vec4f {
        return vec4f(givenFloat(at), givenFloat(at + 1u), givenFloat(at + 2u), givenFloat(at + 3u));
      }
      fn write(at: u32, v: vec4f) { for (var k = 0u; k < 4u; k++) { writeFloat(at + k, v[k]); } }
      ${main(`
        let pixel = PixelState(givenVector(12u * i), 5u);
        let blob = givenVector(12u * i + 4u);
        let next = transformPixelState(pixel, blob);
        let back = undoPixelState(next, 6u, blob);
        let gradient = alphaBlendBackward(pixel.value, blob, givenVector(12u * i + 8u));
        write(18u * i, next.value); write(18u * i + 4u, back.value);
        write(18u * i + 8u, gradient.pixel); write(18u * i + 12u, gradient.blob);
        writeFloat(18u * i + 16u, f32(next.finalCount)); writeFloat(18u * i + 17u, f32(back.finalCount));`)}`;
      const { floats } = await runKernel(gpu, scene({ blend, background: "white" }), { code, given, words: 64 * 18 });
      for (const [i, { state, color, alpha, d }] of items.entries()) {
        const next = { ...state };
        const applied = transformPixelState(next, color, alpha, attenuation);
        assert.equal(applied, state.transmittance >= lowestTransmittance);
        const back = { ...next };
        assert.equal(undoPixelState(back, 6, color, alpha, attenuation), applied);
        const dPixel = { ...d };
        const gradient = { ...color };
        const dAlpha = alphaBlendBackward(state, color, alpha, attenuation, dPixel, gradient);
        const four = (s: typeof state) => [s.red, s.green, s.blue, s.transmittance];
        const expected = [
          ...four(next),
          ...four(back),
          ...four(dPixel),
          gradient.red,
          gradient.green,
          gradient.blue,
          dAlpha,
        ];
        const counts = [next.finalCount, back.finalCount];
        assertClose(floats.subarray(18 * i, 18 * i + 18), [...expected, ...counts], 1e-5, `item ${i}`);
        if (blend === "sum") assert.equal(next.transmittance, state.transmittance);
      }
    });
  }

  for (const background of ["original", "white", "black"] as const) {
    it(`the ${background} background, its loss and their adjoint agree with the reference`, async ({ gpu }) => {
      const job = scene({ background }, 8, 8);
      const random = uniformGenerator(9);
      const given = Float32Array.from({ length: 256 }, random);
      const code = `
        #import shared/loss.wgsl
        ${main(`
          let pixel = vec4f(givenFloat(4u * i), givenFloat(4u * i + 1u), givenFloat(4u * i + 2u), givenFloat(4u * i + 3u));
          let loss = lossBackward(pixel, targetColor(vec2u(i % 8u, i / 8u)));
          writeFloat(5u * i, loss.squaredError);
          for (var k = 0u; k < 4u; k++) { writeFloat(5u * i + 1u + k, loss.pixel[k] * 64.0); }`)}`;
      const { floats } = await runKernel(gpu, job, { code, given, words: 320 });
      for (let i = 0; i < 64; i++) {
        const [red, green, blue, transmittance] = given.subarray(4 * i, 4 * i + 4);
        const d = { red: 0, green: 0, blue: 0, transmittance: 0, finalCount: 0 };
        const target = Array.from(job.image.data.subarray(4 * i, 4 * i + 3), (byte) => byte / 255);
        const error = lossBackward({ red, green, blue, transmittance, finalCount: 0 }, target, background, 1, d);
        const expected = [error, d.red, d.green, d.blue, d.transmittance];
        assertClose(floats.subarray(5 * i, 5 * i + 5), expected, 1e-5, `pixel ${i}`);
      }
    });
  }

  for (const tile of ["8x4", "1x1", "7x5", "16x16"]) {
    it(`accumulate clamps each thread's gradient to ±10 and adds the sum, with ${tile} threads`, async ({ gpu }) => {
      const job = scene({ tile, blobs: 3 });
      const threads = job.config.tile[0] * job.config.tile[1];
      const random = uniformGenerator(10);
      const given = Float32Array.from({ length: threads }, () => 40 * random() - 20);
      const code = `
        #import shared/accumulate.wgsl
        @compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT) fn main(@builtin(local_invocation_index) i: u32) {
          let d = givenFloat(i);
          accumulate(Blob(vec2f(d, 0), vec2f(0), 0, vec3f(0), -d), 1u, i);
          result[0] = 0u;
        }`;
      const { gradients } = await runKernel(gpu, job, { code, given, words: 1, workgroups: 2 });
      const sum = treeReduce(given.map((d) => clampGradient(d, 10)));
      const expected = new Float32Array(27);
      expected[1] = 2 * sum;
      expected[25] = -2 * sum;
      assertClose(gradients, expected, 1e-6, "gradient");
    });
  }

  it("treeReduce returns each thread's own element, which no other thread writes in the next call", async ({ gpu }) => {
    const values = Float32Array.from({ length: 35 }, (_, i) => i + 1);
    const code = `
      #import shared/accumulate.wgsl
      @compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT) fn main(@builtin(local_invocation_index) i: u32) {
        for (var times = 0u; times < 4u; times++) {
          writeFloat(35u * times + i, treeReduce(givenFloat(i), i));
        }
        atomicStore(&gradients[0], 0u);
      }`;
    const { floats } = await runKernel(gpu, scene({ tile: "7x5", blobs: 1 }), { code, given: values, words: 140 });
    const elements = values.slice();
    treeReduce(elements);
    for (let times = 0; times < 4; times++) assert.deepEqual(floats.slice(35 * times, 35 * (times + 1)), elements);
  });

  it("accumulate clamps no gradient of direct blobs", async ({ gpu }) => {
    const code = `
      #import shared/accumulate.wgsl
      @compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT) fn main(@builtin(local_invocation_index) i: u32) {
        accumulate(Blob(vec2f(500, 0), vec2f(0), 0, vec3f(0), -1e6), 1u, i);
        result[0] = given[0];
      }`;
    const { gradients } = await runKernel(gpu, directScene({ tile: "8x4", blobs: 3 }), { code, words: 1 });
    assert.deepEqual([gradients[1], gradients[25]], [32 * 500, -32e6]);
  });

  it("compare-and-swap loses no addition of 4,096 threads to one float", async ({ gpu }) => {
    const code = `
      #import shared/accumulate.wgsl
      ${main("atomicAccumulate(1.0, 4u); result[0] = given[0];")}`;
    const { gradients } = await runKernel(gpu, scene({}), { code, words: 1, workgroups: 64 });
    assert.equal(gradients[4], 4096);
  });

  for (const biasCorrection of ["constant", "exact"] as const) {
    it(`updateBlobs agrees with the reference, with ${biasCorrection} bias correction at step 7`, async ({ gpu }) => {
      const job = scene({ biasCorrection, blobs: 30 });
      const random = uniformGenerator(11);
      const fill = (low: number, high: number) =>
        Float32Array.from({ length: 270 }, () => low + (high - low) * random());
      job.state.firstMoments = fill(-1, 1);
      job.state.secondMoments = fill(0, 1);
      const gradients = fill(-3, 3);
      const code = "#import shared/updateBlobs.wgsl";
      const { parameters } = await runKernel(gpu, job, { code, gradients, words: 1, workgroups: 2, step: 7 });
      const reference = Float64Array.from(job.state.parameters);
      const moments = [Float64Array.from(job.state.firstMoments), Float64Array.from(job.state.secondMoments)];
      const scale = corrections(biasCorrection, 7);
      updateBlobs(reference, moments[0], moments[1], Float64Array.from(gradients), ratesAt(job.config, 7), scale);
      assertClose(parameters, reference, 1e-6, "parameter");
      assert.ok(reference.some((value, slot) => Math.abs(value - job.state.parameters[slot]) > 1e-3));
    });
  }

  for (const schedule of ["exponential", "cosine"] as const) {
    it(`updateBlobs applies each parameter's learning rate with a schedule: ${schedule}`, async ({ gpu }) => {
      const rates = { centerRate: 2, varianceRate: 3, correlationRate: 0, colorRate: 5, opacityRate: 7 };
      const job = scene({ blobs: 30, steps: 21, learningRate: 0.01, schedule, finalRate: 0.01, ...rates });
      job.state.firstMoments.fill(1);
      job.state.secondMoments.fill(1);
      const gradients = new Float32Array(270).fill(1);
      const code = "#import shared/updateBlobs.wgsl";
      const moved = async (step: number) => {
        const { parameters } = await runKernel(gpu, job, { code, gradients, words: 1, workgroups: 2, step });
        return parameters.map((value, slot) => job.state.parameters[slot] - value);
      };
      // With m = v = 1 a step is the rate times √(1 − β₂)/(1 − β₁), which is √0.1.
      const halfway = { exponential: 0.1, cosine: 0.505 }[schedule];
      for (const [step, factor] of [
        [1, 1],
        [11, halfway],
        [21, 0.01],
      ]) {
        const expected = Float64Array.from({ length: 270 }, (_, slot) => {
          const multiple = [2, 2, 3, 3, 0, 5, 5, 5, 7][Math.floor(slot / 30)];
          return 0.01 * multiple * factor * Math.sqrt(0.1);
        });
        assertClose(await moved(step), expected, 2e-6, `step ${step}, slot`, 0.2);
      }
    });
  }

  it("clearDerivatives sets all gradients to zero", async ({ gpu }) => {
    const job = scene({ blobs: 100 });
    const gradients = new Float32Array(900).fill(3);
    const result = await runKernel(gpu, job, {
      code: "#import shared/clearDerivatives.wgsl",
      gradients,
      words: 1,
      workgroups: 4,
    });
    assert.ok(result.gradients.every((gradient) => gradient === 0));
  });
});

describe("the CPU reference", () => {
  const { config, image, state } = scene({ blobs: 200, covarianceScale: 1e-3 });
  const blobs: Blob[] = decodeAll(state.parameters, modelOf(config, image));

  it("bounds a blob's support with its box, also for tiny and tilted blobs", () => {
    const direct = directScene({ blobs: 200 });
    for (const blobs of [
      ...[1e-3, 1e-9].map((covarianceScale) =>
        decodeAll(state.parameters, { ...modelOf(config, image), covarianceScale }),
      ),
      decodeAll(direct.state.parameters, modelOf(direct.config, direct.image)),
    ]) {
      for (const blob of blobs) {
        const box = blobBounds(blob);
        for (let angle = 0; angle < 2 * Math.PI; angle += 0.1) {
          // A point of the 4σ ellipse: Σ^½ by Cholesky, times the circle.
          const x = 4 * Math.cos(angle) * Math.sqrt(blob.varianceX);
          const across = blob.correlation * Math.cos(angle) + Math.sqrt(1 - blob.correlation ** 2) * Math.sin(angle);
          const y = 4 * across * Math.sqrt(blob.varianceY);
          const along = Math.abs(x * box.axisX + y * box.axisY);
          const aside = Math.abs(y * box.axisX - x * box.axisY);
          assert.ok(along <= box.halfLength * (1 + 1e-9) && aside <= box.halfWidth * (1 + 1e-9));
        }
      }
    }
  });

  for (const blend of ["over", "sum"] as const) {
    it(`returns to a pixel's first state by undoing every blend, blend ${blend}`, () => {
      const attenuation = attenuationOf(blend);
      const state = { red: 0, green: 0, blue: 0, transmittance: 1, finalCount: 0 };
      const alphas = blobs.slice(0, 20).map((blob) => alphaOf(blob, 0.5));
      for (const [i, alpha] of alphas.entries()) transformPixelState(state, blobs[i], alpha, attenuation);
      const applied = state.finalCount;
      assert.ok(applied > 2);
      for (let i = 20; i > 0; i--) undoPixelState(state, i, blobs[i - 1], alphas[i - 1], attenuation);
      assert.equal(state.finalCount, 0);
      assertClose([state.red, state.green, state.blue, state.transmittance], [0, 0, 0, 1], 1e-9, "state");
    });
  }

  it("applies the blob that crosses 1/255, and not the next", () => {
    const state = { red: 0, green: 0, blue: 0, transmittance: 0.004, finalCount: 0 };
    assert.equal(transformPixelState(state, blobs[0], 0.9, 1), true);
    const crossed = { ...state };
    assert.ok(crossed.transmittance < lowestTransmittance);
    assert.equal(transformPixelState(state, blobs[1], 0.9, 1), false);
    assert.deepEqual(state, crossed);
    alphaBlend(state, blobs[1], 0.9, 1);
    assert.notDeepEqual(state, crossed);
  });
});
