import { composeShader, type ShaderLibrary } from "../shaders.js";

const file = "shared/neighbours.wgsl";
const threads = 32;

/**
 * Returns whether the lanes of a subgroup follow the order of `local_invocation_index`, in groups of four, as
 * shaders/binned/6-rasterizeBackwardSubgroup.wgsl needs. WGSL does not guarantee it, so a kernel tests it on the device.
 */
export async function lanesFollowThreads(device: GPUDevice, shaders: ShaderLibrary): Promise<boolean> {
  const bytes = 8 * threads;
  const module = device.createShaderModule({ code: composeShader(shaders, file).code });
  const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
  const neighbours = device.createBuffer({ size: bytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
  const copy = device.createBuffer({ size: bytes, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  try {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    const entries = [{ binding: 25, resource: { buffer: neighbours } }];
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.dispatchWorkgroups(1);
    pass.end();
    encoder.copyBufferToBuffer(neighbours, 0, copy, 0, bytes);
    device.queue.submit([encoder.finish()]);
    await copy.mapAsync(GPUMapMode.READ);
    const found = new Uint32Array(copy.getMappedRange());
    return Array.from({ length: threads }, (_, k) => found[2 * k] === (k ^ 1) && found[2 * k + 1] === (k ^ 2)).every(
      Boolean,
    );
  } finally {
    neighbours.destroy();
    copy.destroy();
  }
}
