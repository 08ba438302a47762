import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { CpuPipeline } from "../../../src/engine/cpu/pipeline.js";
import { gpuBackend } from "../../../src/engine/gpu/backend.js";
import { Gpu } from "../../../src/engine/gpu/device.js";
import { composeShader } from "../../../src/engine/gpu/shaders.js";
import {
  mostKeptStates,
  openProgram,
  programConfig,
  programOf,
  programShaders,
  programs,
} from "../../../src/engine/realtime/programs.js";
import { assertGradientsAgree, assertPicturesAgree } from "../../support/agreement.js";
import { shaders } from "../../support/gpu.js";
import { type Scene, scene, setParameter } from "../../support/scenes.js";
import { openSoftwareGpu } from "../../support/softwareAdapter.js";

let device: Gpu | undefined;
before(async () => {
  device = await Gpu.open(await openSoftwareGpu(), shaders);
});
after(() => {
  device?.close();
  device = undefined;
});

/** One step's gradients and picture of every program against the float64 twin's. */
async function compare({ config, image, state }: Scene, names = programs): Promise<void> {
  const backend = gpuBackend(device!, async () => undefined);
  const oracle = new CpuPipeline(config, image, state, Float64Array);
  const { gradients } = oracle.evaluate();
  const picture = await oracle.render(image);
  for (const program of names) {
    const pipeline = await openProgram(program, config, image, backend, shaders, state);
    assertGradientsAgree(await pipeline.computeGradients(), gradients, 1e-3, config.seed);
    assertPicturesAgree(await pipeline.render(image), picture, config.seed);
    await pipeline.free();
  }
}

describe("every program computes the same gradients and picture", () => {
  it("where blobs are nearly opaque and pixels stop early", async () => {
    const job = scene({ blobs: 20, tile: "8x4", gaussiansPerBlock: 32, seed: 4 }, 13, 9);
    setParameter(job, 8, 0.93);
    await compare(job);
  });

  it("where a tile's list takes several passes, of which the last one's states are kept", async () => {
    const job = scene({ blobs: 20, tile: "8x4", gaussiansPerBlock: 8, seed: 3 }, 8, 4);
    await compare(job, [programOf("tiles-kept")]);
  });
});

it("a program that keeps states has room for one a blob of its list, and takes no undo from a state that is kept", () => {
  const config = programConfig(programOf("tiles-kept"), { blobs: 4, gaussiansPerBlock: 64 });
  const library = programShaders(programOf("tiles-kept"), config, shaders)!;
  const { code } = composeShader(library, "tiled/computeDerivatives.wgsl");
  assert.match(code, /const KEPT_STATES = 64u;/);
  assert.doesNotMatch(code, /undoPixelState\(current/);
});

it("a thread's own variables stay within the 8,192 bytes that WGSL gives it", () => {
  for (const name of ["every-kept", "tiles-kept"] as const) {
    const config = programConfig(programOf(name), { blobs: 512, gaussiansPerBlock: 512 });
    const library = programShaders(programOf(name), config, shaders)!;
    const { code } = composeShader(library, `${config.pipeline}/computeDerivatives.wgsl`);
    const states = Number(/const KEPT_STATES = (\d+)u/.exec(code)![1]);
    const words = code.match(/var<private> \w+: u32/g)?.length ?? 0;
    assert.equal(code.match(/var<private>/g)!.length, 1 + words);
    assert.ok(16 * states + 4 * words <= 8192, name);
    assert.ok(states >= 511, name);
  }
});

it("the program that looks at every blob refuses more of them than it can keep states", () => {
  const program = programOf("every-kept");
  const config = programConfig(program, { blobs: mostKeptStates + 1 });
  assert.throws(() => programShaders(program, config, shaders), /blobs is 513, but must be at most 512/);
});
