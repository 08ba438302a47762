import assert from "node:assert/strict";
import { describe } from "vitest";
import { gpuBackend } from "../../../../src/engine/gpu/backend.js";
import { RunawayError, withCustomKernels } from "../../../../src/engine/gpu/customKernels.js";
import { checkGradients, type GradientCheck, gradientTolerance } from "../../../../src/engine/gradientCheck.js";
import { type Backend, DeviceLostError } from "../../../../src/engine/pipeline.js";
import { Trainer } from "../../../../src/engine/training/trainer.js";
import { it, openGpu, shaders } from "../../../support/gpu.js";
import { scene } from "../../../support/scenes.js";

/** Returns the shipped library with one edit, which must apply. */
function edited(file: string, before: string, now: string) {
  const text = shaders.get(file)!;
  assert.ok(text.includes(before), `${file} does not hold ${before}`);
  return new Map(shaders).set(file, text.replace(before, now));
}

/** Returns the line of a text in a shipped file. */
function lineOf(file: string, text: string): number {
  return (
    1 +
    shaders
      .get(file)!
      .split("\n")
      .findIndex((line) => line.includes(text))
  );
}

const small = { blobs: 4, tile: "8x8" };
const broken = edited("shared/blend.wgsl", "0.0, 1.0), 0u)", "0.0, 1.0), 0.5)");
const blue = edited("shared/blend.wgsl", "vec4f(0.0, 0.0, 0.0, 1.0)", "vec4f(0.0, 0.0, 1.0, 1.0)");

describe("a job with edited kernels", () => {
  it("uses them, also after ones that do not compile, and next to jobs with the shipped ones", async ({ backend }) => {
    const { config, image, state } = scene({ ...small, pipeline: "simple", background: "black" }, 8, 8);
    await assert.rejects(backend.open(config, image, state, broken), /shared\/blend\.wgsl:\d+:\d+: /);
    const shipped = await backend.open(config, image, state);
    const own = await backend.open(config, image, state, blue);
    const [plain, bluer] = [await shipped.render(image), await own.render(image)];
    for (let pixel = 0; pixel < 64; pixel++) {
      assert.equal(bluer.data[4 * pixel], plain.data[4 * pixel]);
      assert.ok(bluer.data[4 * pixel + 2] > plain.data[4 * pixel + 2] + 0.01, `pixel ${pixel}`);
    }
    await Promise.all([shipped.free(), own.free()]);
  });

  it("is not retried after a device loss", async () => {
    const gpu = await openGpu();
    let reopened = 0;
    const lossy = gpuBackend(gpu, async () => {
      reopened++;
      return undefined;
    });
    const { config, image } = scene({ ...small, pipeline: "simple" }, 8, 8);
    const trainer = new Trainer(config, image, withCustomKernels(lossy, blue));
    const run = async () => {
      for await (const { step } of trainer.run({ recordEvery: 1 })) if (step === 1) gpu.close();
    };
    await assert.rejects(run(), RunawayError);
    assert.equal(reopened, 0);
  });
});

describe("Gpu.answer()", () => {
  it("abandons a device that does not respond within its timeout, if it has one", async ({ gpu: other }) => {
    const gpu = await openGpu();
    const never = new Promise<void>(() => {});
    gpu.timeout = 250;
    await assert.rejects(gpu.answer(never), DeviceLostError);
    await gpu.lost;
    assert.equal(gpu.isAbandoned, true);
    const reopening = gpuBackend(gpu, async () => other);
    const { config, image, state } = scene({ ...small, pipeline: "simple" }, 8, 8);
    const pipeline = await reopening.open(config, image, state);
    assert.equal((await pipeline.render(image)).width, 8);
    await pipeline.free();
    assert.equal(await other.answer(Promise.resolve(7)), 7);
    gpu.close();
  });
});

describe("Backend.compile()", () => {
  const compile = (backend: Backend, library: typeof shaders, pipeline: string) =>
    backend.compile!(scene({ ...small, pipeline }).config, library);

  it("returns no messages for the shipped kernels", async ({ backend }) => {
    assert.deepEqual(await compile(backend, shaders, "tiled"), []);
  });

  it("reports an error in a file that several kernels import once, at its line", async ({ backend }) => {
    const [message, ...others] = await compile(backend, broken, "tiled");
    assert.deepEqual(others, []);
    assert.equal(message.file, "shared/blend.wgsl");
    assert.equal(message.line, lineOf("shared/blend.wgsl", "0.0, 1.0), 0u)"));
    assert.equal(message.type, "error");
  });

  it("reports a warning", async ({ backend }) => {
    const unreachable = edited("shared/clearDerivatives.wgsl", "  let slot", "  return; let slot");
    const [message] = await compile(backend, unreachable, "simple");
    assert.deepEqual([message.file, message.type], ["shared/clearDerivatives.wgsl", "warning"]);
    assert.equal(message.line, lineOf("shared/clearDerivatives.wgsl", "let slot"));
  });

  it("reports a missing import at its line", async ({ backend }) => {
    const library = edited("shared/decode.wgsl", "#import shared/direct.wgsl", "#import shared/nothing.wgsl");
    const [message, ...others] = await compile(backend, library, "tiled");
    assert.deepEqual(others, []);
    assert.deepEqual(
      [message.file, message.line, message.text],
      ["shared/decode.wgsl", lineOf("shared/decode.wgsl", "direct.wgsl"), "there is no shader shared/nothing.wgsl"],
    );
  });

  it("reports errors of pipeline creation: a mismatched binding, a workgroup that is too large", async ({
    backend,
  }) => {
    const other = edited("shared/loss.wgsl", "@binding(5) var<storage, read>", "@binding(5) var<storage, read_write>");
    const [message] = await compile(backend, other, "tiled");
    assert.deepEqual([message.file, message.line], ["shared/loss.wgsl", lineOf("shared/loss.wgsl", "@binding(5)")]);
    const large = edited("shared/clearDerivatives.wgsl", "@workgroup_size(256)", "@workgroup_size(65536)");
    const [size, ...others] = await compile(backend, large, "tiled");
    assert.deepEqual(others, []);
    assert.equal(size.file, "shared/clearDerivatives.wgsl");
    assert.equal(size.line, lineOf("shared/clearDerivatives.wgsl", "@workgroup_size"));
  });
});

describe("checkGradients()", () => {
  const check = (backend: Backend, pipeline: string, library = shaders, given = {}) =>
    checkGradients(
      withCustomKernels(backend, library),
      scene({ ...small, pipeline, ...given }).config,
    ) as Promise<GradientCheck>;
  const wrong = ({ groups }: GradientCheck) => groups.filter(({ agrees }) => !agrees).map(({ group }) => group);

  it("clearly passes for the shipped kernels, and for a sum of direct blobs", async ({ backend }) => {
    for (const { group, disagreement } of (await check(backend, "binned")).groups)
      assert.ok(disagreement < gradientTolerance / 5, `${group} disagrees by ${disagreement}`);
    const direct = { parameterization: "direct", blend: "sum", background: "black" };
    assert.deepEqual(wrong(await check(backend, "binned", shaders, direct)), []);
  });

  it("fails for a backward pass with another factor, in the affected groups", async ({ backend }) => {
    const opacity = edited("shared/smoothstep.wgsl", "(0.9 * raw.opacity + 0.1) * 0.9", "(0.9 * raw.opacity + 0.1)");
    const result = await check(backend, "binned", opacity);
    assert.deepEqual([result.agrees, wrong(result)], [false, ["opacity"]]);
    const { worst } = result.groups.find(({ group }) => group === "opacity")!;
    assert.ok(Math.abs(worst.backward / worst.difference - 1 / 0.9) < 0.01);
  });
});
