import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { deflateRaw } from "pako";
import { describe, it } from "vitest";
import { completeConfig } from "../../../../src/engine/config.js";
import { CpuPipeline } from "../../../../src/engine/cpu/pipeline.js";
import { ByteReader, ByteWriter } from "../../../../src/engine/files/splat2d/bytes.js";
import { crc32 } from "../../../../src/engine/files/splat2d/crc32.js";
import { packHead } from "../../../../src/engine/files/splat2d/head.js";
import { quantizationSteps } from "../../../../src/engine/files/splat2d/precision.js";
import { encodeByError } from "../../../../src/engine/files/splat2d/roundTrip.js";
import { decodeSplat2d, encodeSplat2d, type Splat2d } from "../../../../src/engine/files/splat2d/splat2d.js";
import type { FloatImage } from "../../../../src/engine/image/image.js";
import { psnr } from "../../../../src/engine/image/metrics.js";
import { inactiveCenter, initialState, writeBlob } from "../../../../src/engine/training/initialState.js";
import { renderOnCpu } from "../../../support/renderOnCpu.js";
import {
  blendModels,
  directScene,
  modelName,
  models,
  type Scene,
  scene,
  sceneOf,
  testImage,
} from "../../../support/scenes.js";

const encoded = ({ config, image, state }: Scene, precision = 1) =>
  encodeSplat2d(config, image, state.parameters, quantizationSteps(config, precision));

/** Returns the PSNR between two renders, without clamping since random blobs exceed 1. */
function unclampedPsnr(render: FloatImage, other: FloatImage): number {
  const square = render.data.reduce((sum, value, i) => sum + (value - other.data[i]) ** 2, 0);
  return -10 * Math.log10(square / render.data.length);
}

const bytewise = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** Returns the bytes after a file's header and head. */
function afterHead(bytes: Uint8Array): Uint8Array {
  const body = new ByteReader(bytes.subarray(16));
  body.take(body.count());
  return body.rest();
}

/** Writes length and checksum of the body into the header. */
function resealed(bytes: Uint8Array): Uint8Array {
  new DataView(bytes.buffer).setUint32(8, bytes.length, true);
  new DataView(bytes.buffer).setUint32(12, crc32(bytes.subarray(16)), true);
  return bytes;
}

for (const model of blendModels) {
  const job = sceneOf(model, { blobs: 60 });
  describe(`a .splat2d file of ${modelName(model)}`, () => {
    it("renders closer to the original the finer it is", async () => {
      const original = await renderOnCpu(job.config, job.image, job.state.parameters);
      const [coarse, normal, fine] = await Promise.all(
        [1 / 4, 1, 16].map(async (precision) => {
          const { config, size, parameters } = decodeSplat2d(encoded(job, precision));
          return unclampedPsnr(await renderOnCpu(config, size, parameters), original);
        }),
      );
      assert.ok(coarse > 15 && normal > coarse + 6 && fine > normal + 10, `${coarse}, ${normal}, ${fine} dB`);
      assert.ok(normal > 30, `${normal} dB`);
    });

    it("keeps the config, the size of the image and the quantization steps", () => {
      const { config, size, steps, parameters } = decodeSplat2d(encoded(job, 3));
      assert.deepEqual(config, { ...job.config, blobs: parameters.length / 9 });
      assert.deepEqual(size, { width: 20, height: 14 });
      assert.deepEqual(steps, quantizationSteps(job.config, 3));
    });

    it("encodes to the same bytes again, of at most 80 bits per blob", () => {
      for (const precision of [0.3, 1, 7.7]) {
        const bytes = encoded(job, precision);
        const { config, size, parameters, steps } = decodeSplat2d(bytes);
        assert.equal(bytewise(encodeSplat2d(config, size, parameters, steps)), bytewise(bytes));
      }
      const bits = 8 * encoded(sceneOf(model, { blobs: 1000 })).length;
      assert.ok(bits < 80 * 1000, `${bits / 1000} bits per blob`);
    });
  });
}

describe("encodeSplat2d()", () => {
  it("rounds each parameter by at most half a step, and keeps the order with alpha compositing", () => {
    const job = directScene({ blend: "over", blobs: 40 });
    const steps = { center: 0.25, variance: 0.125, correlation: 0.5, color: 0.1, opacity: 0.75 };
    const { parameters } = decodeSplat2d(encodeSplat2d(job.config, job.image, job.state.parameters, steps));
    const allowed = [0.25, 0.25, 0.125, 0.125, 0.5, 0.1, 0.1, 0.1, 0.75];
    for (const [slot, value] of parameters.entries()) {
      const error = Math.abs(value - job.state.parameters[slot]);
      assert.ok(error <= allowed[Math.floor(slot / 40)] / 2 + 1e-6, `slot ${slot} is off by ${error}`);
    }
  });

  it("drops blobs that are inactive, black in a sum, or transparent", () => {
    const { config, image, state } = directScene({ blobs: 4 });
    const blob = { x: 5, y: 5, deviation: 2, color: [0.5, 0, 0] as [number, number, number], opacity: 0.5 };
    writeBlob(state.parameters, 0, { ...blob, x: inactiveCenter, y: inactiveCenter });
    writeBlob(state.parameters, 1, { ...blob, color: [0, 0, 0] });
    writeBlob(state.parameters, 2, blob);
    writeBlob(state.parameters, 3, { ...blob, x: -8.5 });
    const read = decodeSplat2d(encodeSplat2d(config, image, state.parameters));
    assert.equal(read.config.blobs, 1);
    assert.deepEqual([...read.parameters.slice(0, 2)], [5, 5]);
    const over = { ...config, blend: "over" as const };
    assert.equal(decodeSplat2d(encodeSplat2d(over, image, state.parameters)).config.blobs, 2, "black covers");
    const clear = scene({ blobs: 2 });
    clear.state.parameters[2 * 8] = -1;
    assert.equal(decodeSplat2d(encoded(clear)).config.blobs, 1);
  });

  for (const run of ["astronaut-seed", "astronaut-quality"]) {
    it(`writes the recorded bytes of ${run}, except for a head with present names`, async () => {
      const recorded = await readFile(`data/runs/${run}/blobs.splat2d`);
      const { config, size, parameters, steps } = decodeSplat2d(recorded);
      const written = encodeSplat2d(config, size, parameters, steps);
      assert.ok(Buffer.from(afterHead(written)).equals(afterHead(recorded)));
      const read = decodeSplat2d(written);
      assert.deepEqual([read.config, read.size, read.steps], [config, size, steps]);
      assert.ok(Buffer.from(encodeSplat2d(read.config, size, read.parameters, read.steps)).equals(written));
    });
  }

  it("keeps one blob if none is visible", () => {
    const job = directScene({ blobs: 3 });
    job.state.parameters.fill(inactiveCenter, 0, 3);
    const bytes = encoded(job);
    const { config, size, parameters, steps } = decodeSplat2d(bytes);
    assert.equal(config.blobs, 1);
    assert.equal(bytewise(encodeSplat2d(config, size, parameters, steps)), bytewise(bytes));
  });

  it("refuses a parameter that is not finite, in one sentence", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const job = directScene({ blobs: 5 });
      job.state.parameters[5 * 5 + 3] = value;
      const message = `red of blob 3 must be finite in a .splat2d file (got ${value}).`;
      assert.throws(() => encoded(job), { message });
    }
  });
});

describe("decodeSplat2d() refuses in one sentence", () => {
  const valid = encoded(sceneOf(models[0], { blobs: 12 }));
  const sentence = /^x\.splat2d [^.]*(\.splat2d[^.]*)?\.$/;
  const refused = (bytes: Uint8Array, message: RegExp = sentence) =>
    assert.throws(
      () => decodeSplat2d(bytes, "x.splat2d"),
      (error) => error instanceof Error && sentence.test(error.message) && message.test(error.message),
    );

  it("a file with any one bit flipped", () => {
    for (let bit = 0; bit < 8 * valid.length; bit++) {
      const bytes = valid.slice();
      bytes[bit >> 3] ^= 1 << (bit & 7);
      refused(bytes);
    }
  });

  it("a truncated file, and one with more bytes", () => {
    for (let length = 1; length < valid.length; length++) refused(valid.slice(0, length), /is truncated/);
    refused(new Uint8Array(), /is empty\.$/);
    refused(Uint8Array.of(...valid, 0), /is damaged/);
  });

  it("a file of another format or version", () => {
    refused(new TextEncoder().encode("a text"), /is not a \.splat2d file\.$/);
    const newer = valid.slice();
    newer[7] = 2;
    refused(newer, /^x\.splat2d must be of \.splat2d version 1 \(got 2\)\.$/);
  });

  it("inconsistent contents, even with a correct checksum", () => {
    let accepted = 0;
    for (let at = 16; at < valid.length; at++) {
      const bytes = valid.slice();
      bytes[at] ^= 0x80;
      try {
        // Some damage changes only a number.
        const { parameters, config } = decodeSplat2d(resealed(bytes), "x.splat2d");
        assert.equal(parameters.length, 9 * config.blobs);
        accepted++;
      } catch (error) {
        assert.ok(error instanceof Error && error.name === "Error", String(error));
        assert.match(error.message, /x\.splat2d (is damaged|cannot be used)/);
      }
    }
    assert.ok(accepted < valid.length);
    refused(resealed(valid.slice(0, -1)), /is damaged/);
    refused(resealed(Uint8Array.of(...valid, 0)), /is damaged/);
  });
});

describe("decodeSplat2d() needs memory in proportion to the file", () => {
  const { config, image } = sceneOf(models[0], { blobs: 12 });
  const damaged = { message: "x.splat2d is damaged: its contents are inconsistent." };

  /** Returns a file with a given head and packed columns, and a correct checksum. */
  function forged(head: Uint8Array, columns: Uint8Array = new Uint8Array()): Uint8Array {
    const writer = new ByteWriter();
    writer.count(head.length);
    return resealed(Uint8Array.from([...sealed.subarray(0, 16), ...writer.bytes(), ...head, ...columns]));
  }
  const sealed = encoded(sceneOf(models[0], { blobs: 12 }));
  const headOf = (blobs: number, size: { width: number; height: number } = image) =>
    packHead({ size, steps: quantizationSteps(config), config: { ...config, blobs } });

  it("refuses millions of blobs in a few kilobytes", () => {
    const columns = new ByteWriter();
    for (let column = 0; column < 9; column++) {
      columns.byte(0);
      columns.count(0);
    }
    const zeros = deflateRaw(new Uint8Array(9e6), { level: 9 });
    columns.count(zeros.length);
    assert.throws(
      () => decodeSplat2d(forged(headOf(1e6), Uint8Array.from([...columns.bytes(), ...zeros])), "x.splat2d"),
      damaged,
    );
  });

  it("refuses a head that inflates too much", () => {
    const text = new TextEncoder().encode(`${" ".repeat(1e6)}{}`);
    assert.throws(() => decodeSplat2d(forged(deflateRaw(text)), "x.splat2d"), damaged);
  });

  it("refuses an image with too many pixels", () => {
    assert.throws(() => decodeSplat2d(forged(headOf(12, { width: 100_000, height: 100_000 })), "x.splat2d"), {
      message: 'x.splat2d must be at most 67,108,864 pixels, such as 8192x8192 (got "100000x100000").',
    });
  });
});

it("crc32() equals that of PNG and zip", () => {
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
});

describe("encodeByError()", () => {
  /** Returns the PSNR of a run, the decibels that its file loses, and both renders. */
  async function lost(overrides: Parameters<typeof directScene>[0], steps: number) {
    const config = completeConfig({ preset: "quality", growEvery: 10, blobs: 60, steps, ...overrides });
    const image = testImage(32, 24);
    const pipeline = new CpuPipeline(config, image, initialState({ ...config, startShare: 1 }, image));
    await pipeline.advance(steps);
    const { parameters } = await pipeline.state();
    const render = await pipeline.render(image);
    const draw = (read: Splat2d) => renderOnCpu(read.config, read.size, read.parameters);
    const file = await encodeByError(config, parameters, render, image, draw);
    const read = decodeSplat2d(file);
    const decoded = await draw(read);
    return { psnr: psnr(render, image), lost: psnr(render, image) - psnr(decoded, image), decoded, render };
  }

  for (const blend of ["over", "sum"] as const) {
    it(`loses about 0.4 dB at any quality, blend ${blend}`, async () => {
      const [rough, good] = [await lost({ blend, blobs: 14 }, 40), await lost({ blend, blobs: 200 }, 100)];
      assert.ok(good.psnr > rough.psnr + 4, `${rough.psnr} dB, ${good.psnr} dB`);
      for (const { lost, psnr } of [rough, good]) assert.ok(lost > 0.1 && lost < 0.8, `${lost} of ${psnr} dB`);
    });
  }
});
