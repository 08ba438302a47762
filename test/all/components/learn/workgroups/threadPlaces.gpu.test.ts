import assert from "node:assert/strict";

import { threadsOf } from "../../../../../src/components/learn/workgroups/threadPlaces.js";
import { runKernel } from "../../../../../src/engine/gpu/workbench.js";
import { it, shaders } from "../../../../support/gpu.js";

/** Returns the pixel of each thread by threadPlace of the site's shaders. */
const kernel = `#import shared/uv.wgsl
@group(0) @binding(9) var<storage, read_write> pixels: array<vec2u>;
@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  pixels[workgroup.x * WORKGROUP_SIZE + localIndex] = threadPlace(workgroup.x, localIndex, vec2u(32u, 8u)).pixel;
}`;

it("the threads of the figure have the pixels of the kernel, each pixel once", async ({ gpu }) => {
  for (const [width, height] of [
    [8, 4],
    [32, 1],
  ] as [number, number][]) {
    const left = await runKernel(
      gpu,
      {
        file: "place.wgsl",
        constants: { TILE_WIDTH: width, TILE_HEIGHT: height },
        buffers: {
          pixels: 8 * 256,
        },
        workgroups: 8,
      },
      new Map(shaders).set("place.wgsl", kernel),
    );
    const pixels = new Uint32Array(left.pixels);
    const threads = Array.from({ length: 8 }, (_, workgroup) =>
      threadsOf(workgroup, [width, height], { width: 32, height: 8 }),
    ).flat();
    for (const { thread, pixel } of threads)
      assert.deepEqual([pixel.x, pixel.y], [pixels[2 * thread], pixels[2 * thread + 1]]);
    assert.equal(new Set(threads.map(({ pixel: { x, y } }) => `${x},${y}`)).size, 256);
  }
});
