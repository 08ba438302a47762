import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { it } from "vitest";

import { openSoftwareGpu, softwareAdapterEnvironment } from "../../../support/softwareAdapter.js";

it("the software adapter runs a compute kernel", async () => {
  const gpu = await openSoftwareGpu();
  const adapter = await gpu.requestAdapter();
  assert.ok(adapter, "no adapter");
  const device = await adapter.requestDevice();
  const module = device.createShaderModule({
    code: `
      @group(0) @binding(0) var<storage, read_write> values: array<f32>;
      @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
        values[id.x] = values[id.x] * 2 + 1;
      }`,
  });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } });
  const size = 16;
  const values = device.createBuffer({
    size,
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
  });
  device.queue.writeBuffer(values, 0, new Float32Array([0, 1, 2, 3]));
  const readback = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(
    0,
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: { buffer: values } }],
    }),
  );
  pass.dispatchWorkgroups(1);
  pass.end();
  encoder.copyBufferToBuffer(values, 0, readback, 0, size);
  device.queue.submit([encoder.finish()]);
  await readback.mapAsync(GPUMapMode.READ);
  assert.deepEqual([...new Float32Array(readback.getMappedRange())], [1, 3, 5, 7]);
  device.destroy();
});

it("a child process finds the same adapter through its environment", async () => {
  const gpu = await openSoftwareGpu();
  const here = (await gpu.requestAdapter())?.info;
  const script = `
    import { create } from "webgpu";
    const adapter = await create([]).requestAdapter();
    console.log(adapter?.info.vendor, adapter?.info.architecture);`;
  const there = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
    env: { ...process.env, ...softwareAdapterEnvironment() },
  });
  assert.equal(there.trim(), `${here?.vendor} ${here?.architecture}`);
});
