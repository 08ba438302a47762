import assert from "node:assert/strict";
import { describe } from "vitest";
import type { Gpu } from "../../../../src/engine/gpu/device.js";
import { ShaderError } from "../../../../src/engine/shaders.js";
import { it, shaders } from "../../../support/gpu.js";

const stages = [
  "tiled/coarseRasterize.wgsl",
  "tiled/padBuffer.wgsl",
  "tiled/bitonicSort.wgsl",
  "tiled/fineRasterize.wgsl",
];

/** Compiles a kernel with a given body. */
function compile(gpu: Gpu, body: string): Promise<unknown> {
  const code = `${stages.map((name) => `#import ${name}`).join("\n")}
    @compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT) fn main(@builtin(local_invocation_index) localIndex: u32) {
      let window = Window(0u, 1u);
      let tile = OrientedBox();
      ${body}
    }`;
  const library = new Map(shaders).set("test.wgsl", code);
  return gpu.kernel("test.wgsl", {}, library);
}

const fill = "coarseRasterize(initShortList(localIndex), window, tile, localIndex)";
const blend = (list: string) => `let state = fineRasterize(${list}, 0u, vec2f(), clearPixelState());`;

describe("the tokens of the tile list's stages", () => {
  it("allow calls of the stages in order", async ({ gpu }) => {
    await compile(gpu, blend(`bitonicSort(padBuffer(${fill}, localIndex), localIndex)`));
  });

  for (const [what, body] of [
    [
      "gathering into a list that was not reset",
      "let x = coarseRasterize(FilledShortList(), window, tile, localIndex);",
    ],
    ["padding before gathering", "let x = padBuffer(initShortList(localIndex), localIndex);"],
    ["sorting before padding", `let x = bitonicSort(${fill}, localIndex);`],
    ["blending before sorting", blend(`padBuffer(${fill}, localIndex)`)],
    [
      "blending backward before sorting",
      `let x = fineRasterizeBackward(${fill}, 0u, 0u, vec2f(), localIndex, PixelGradient());`,
    ],
  ]) {
    it(`prevent ${what} from compiling`, async ({ gpu }) => {
      await assert.rejects(compile(gpu, body), (error) => {
        assert.ok(error instanceof ShaderError);
        assert.match(error.message, /^test\.wgsl:\d+:\d+: type mismatch for argument 1/);
        return true;
      });
    });
  }
});
