import assert from "node:assert/strict";
import { describe } from "vitest";
import { variantOf } from "../../../../src/engine/gpu/binned/layout.js";
import { openDevice } from "../../../../src/engine/gpu/openDevice.js";
import { it, shaders } from "../../../support/gpu.js";
import { openSoftwareGpu } from "../../../support/softwareAdapter.js";

const file = "shared/neighbours.wgsl";
const edited = (from: string, to: string) => new Map([...shaders, [file, shaders.get(file)!.replaceAll(from, to)]]);
// Exchanges as if threads were assigned to lanes in another order.
const permuted = edited("subgroupShuffleXor(localIndex,", "subgroupShuffleXor(localIndex * 5u % 32u,");

describe("openDevice()", () => {
  it("uses subgroups only if each thread exchanges values with its neighbours, so that lanes follow threads", async () => {
    const gpu = await openSoftwareGpu();
    const requestAdapter = async () => {
      const adapter = (await gpu.requestAdapter())!;
      // Only hardware is tested for lane order, so the software adapter claims to be some.
      const info = { vendor: "hardware", subgroupMinSize: 4, subgroupMaxSize: 4 };
      return Object.defineProperty(adapter, "info", { value: info });
    };
    for (const [library, variant] of [
      [shaders, "Subgroup"],
      [permuted, "Workgroup"],
    ] as const) {
      const opened = (await openDevice({ requestAdapter } as unknown as GPU, library))!;
      assert.equal(variantOf(opened), variant);
      opened.close();
    }
  });
});
