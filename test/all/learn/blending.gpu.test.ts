import assert from "node:assert/strict";
import { blendSteps, stackAt } from "../../../src/components/learn/pixelStack.js";
import { compositeChannel } from "../../../src/engine/model/blend.js";
import { ShaderError } from "../../../src/engine/shaders.js";
import { listStages } from "../../../src/learn/blending.js";
import { backendOn, it, shaders } from "../../support/gpu.js";
import { scene } from "../../support/scenes.js";

it("the stack of each pixel ends with the colour that the kernel blends, in several passes", async ({ gpu }) => {
  const snapshot = { name: "random", ...scene({ pipeline: "tiled", blobs: 300, covarianceScale: 0.3 }, 16, 8) };
  const { config, image, state } = snapshot;
  const pipeline = await backendOn(gpu).open(config, image, state);
  const { data } = await pipeline.render(image);
  await pipeline.free();
  for (let pixel = 0; pixel < data.length / 4; pixel++) {
    const { after } = blendSteps(stackAt(snapshot, pixel % 16, Math.floor(pixel / 16)), config.blend).at(-1)!;
    const T = after.transmittance;
    const colors = [after.red, after.green, after.blue].map((c) => compositeChannel(c, T, config.background));
    for (const [channel, value] of [...colors, T].entries()) {
      const drawn = data[4 * pixel + channel];
      assert.ok(Math.abs(drawn - value) < 2e-5, `pixel ${pixel}, channel ${channel}: ${drawn}, not ${value}`);
    }
  }
});

it("the stages of a tile compile only in their order, since each takes the token that the one before returns", async ({
  gpu,
}) => {
  const stages = listStages(shaders);
  assert.deepEqual(
    stages.map(({ takes }) => takes),
    [undefined, "InitializedShortList", "FilledShortList", "PaddedShortList", "SortedShortList"],
  );
  assert.deepEqual(
    stages.map(({ returns }) => returns),
    [...stages.slice(1).map(({ takes }) => takes), undefined],
  );
  const calls = [
    () => "initShortList(localIndex)",
    (token: string) => `coarseRasterize(${token}, window, tile, localIndex)`,
    (token: string) => `padBuffer(${token}, localIndex)`,
    (token: string) => `bitonicSort(${token}, localIndex)`,
    (token: string) => `fineRasterize(${token}, sh_blobCount, uv, clearPixelState())`,
  ];
  const compile = (order: number[]) => {
    const lines = order.map((stage, i) => `let token${i} = ${calls[stage](`token${i - 1}`)};`);
    const code = `${stages.map(({ name }) => `#import tiled/${name}.wgsl`).join("\n")}
@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  let window = Window(0u, job.blobCount);
  let tile = OrientedBox(vec2f(0.5), vec2f(1.0, 0.0), vec2f(0.5));
  let uv = vec2f(0.5);
  ${lines.join("\n  ")}
}
`;
    return gpu.kernel("order.wgsl", { GAUSSIANS_PER_BLOCK: 64 }, new Map(shaders).set("order.wgsl", code));
  };
  await compile([0, 1, 2, 3, 4]);
  for (const order of [
    [0, 2, 1, 3, 4],
    [0, 1, 3, 2, 4],
    [0, 2, 3, 4],
    [0, 1, 3, 4],
    [0, 1, 2, 4],
  ]) {
    await assert.rejects(compile(order), (error) => {
      assert.ok(error instanceof ShaderError);
      assert.match(error.messages[0].text, /type mismatch for argument 1/, order.join());
      return true;
    });
  }
});
