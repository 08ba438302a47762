import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { type Probe, traceKernel, withProbes } from "../../../../src/engine/gpu/trace.js";
import { withGpu } from "../../../support/gpu.js";

const doubled = `@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
fn twice(x: u32) -> u32 {
  let result = 2u * x;
  return result;
}`;
const main = `#import doubled.wgsl
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
  numbers[i] = twice(numbers[i]);
}`;
const library = new Map([
  ["doubled.wgsl", doubled],
  ["main.wgsl", main],
]);
const kernel = () => ({
  file: "main.wgsl",
  buffers: { numbers: Uint32Array.of(5, 6, 7, 8) },
});
const probes: Probe[] = [
  { name: "in", file: "main.wgsl", at: "numbers[i] =", before: true, values: ["i", "numbers[i]"] },
  { name: "doubled", file: "doubled.wgsl", at: "let result", values: ["result"] },
];

describe("traceKernel", () => {
  it("records values at probes with their lines, without changing the kernel's results", async () => {
    const { events, count, buffers } = await withGpu({ library }, (gpu) => traceKernel(gpu, kernel(), probes));
    assert.equal(count, 8);
    const seen = (name: string) => events.filter(({ probe }) => probe === name);
    const inOrder = seen("in").sort((a, b) => a.values[0] - b.values[0]);
    assert.deepEqual(
      inOrder.map(({ values, file, line }) => ({ values, file, line })),
      [5, 6, 7, 8].map((value, i) => ({ values: [i, value], file: "main.wgsl", line: 4 })),
    );
    assert.deepEqual(
      seen("doubled")
        .map(({ values }) => values[0])
        .sort(),
      [10, 12, 14, 16],
    );
    assert.ok(seen("doubled").every(({ line }) => line === 3));
    assert.deepEqual([...new Uint32Array(buffers.numbers)], [10, 12, 14, 16]);
  });

  it("counts events beyond its capacity, and frees its buffers", async () => {
    await withGpu({ library }, async (gpu) => {
      const { events, count } = await traceKernel(gpu, kernel(), probes, 3);
      assert.deepEqual([events.length, count, gpu.liveBuffers], [3, 8, 0]);
    });
  });
});

describe("withProbes", () => {
  it("keeps every line of the files, and rejects a probe without a line", () => {
    const text = withProbes(library, probes).get("doubled.wgsl")!;
    const kept = text.split("\n").filter((line) => !line.includes("trace"));
    assert.equal(kept.join("\n"), doubled);
    assert.throws(() => withProbes(library, [{ ...probes[0], at: "nothing like it" }]), /No line holds/);
  });
});
