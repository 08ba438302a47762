import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { KernelEdits } from "../../../src/components/kernels/kernelEdits.js";

const shipped = new Map([
  ["a.wgsl", "a"],
  ["b.wgsl", "b"],
]);

class Memory {
  readonly items = new Map<string, string>();
  isFull = false;
  getItem(key: string) {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    if (this.isFull) throw new Error("QuotaExceededError");
    this.items.set(key, value);
  }
}

describe("KernelEdits", () => {
  it("saves what differs from the shipped text for the next visit, and reverts it", () => {
    const memory = new Memory();
    const edits = new KernelEdits(shipped, memory);
    edits.set("a.wgsl", "a2");
    edits.set("b.wgsl", "b2");
    edits.set("b.wgsl", "b");
    assert.deepEqual(edits.files, { "a.wgsl": "a2" });
    const again = new KernelEdits(shipped, memory);
    assert.deepEqual([...again.library.values()], ["a2", "b"]);
    again.revertAll();
    assert.deepEqual(new KernelEdits(shipped, memory).files, {});
  });

  it("renames the background in edits of version 0.1.0", () => {
    const memory = new Memory();
    const edits = { "a.wgsl": "override COMPOSITE: u32 = SEED; fn composite() {} // COMPOSITED" };
    memory.setItem("splatbook.kernels", JSON.stringify({ edits, good: {}, lab: {}, bad: [] }));
    assert.deepEqual(new KernelEdits(shipped, memory).files, {
      "a.wgsl": "override BACKGROUND: u32 = SEED; fn composite() {} // COMPOSITED",
    });
  });

  it("ignores unknown files and values that are no text", () => {
    const memory = new Memory();
    memory.setItem("splatbook.kernels", JSON.stringify({ edits: { "a.wgsl": 5, "c.wgsl": "c", "b.wgsl": "b2" } }));
    assert.deepEqual(new KernelEdits(shipped, memory).files, { "b.wgsl": "b2" });
    memory.setItem("splatbook.kernels", "no JSON");
    assert.deepEqual(new KernelEdits(shipped, memory).files, {});
  });

  it("reports full storage, and continues with the edits", () => {
    const memory = new Memory();
    const edits = new KernelEdits(shipped, memory);
    memory.isFull = true;
    edits.set("a.wgsl", "a2");
    edits.set("b.wgsl", "b2");
    assert.match(edits.problem, /storage is full/);
    assert.equal(edits.text("a.wgsl"), "a2");
    memory.isFull = false;
    edits.set("b.wgsl", "b3");
    assert.equal(edits.problem, "");
    assert.deepEqual(new KernelEdits(shipped, memory).files, { "a.wgsl": "a2", "b.wgsl": "b3" });
  });

  it("suspects kernels of an unfinished trial on the next visit", () => {
    const memory = new Memory();
    const files = { "a.wgsl": "loop" };
    const edits = new KernelEdits(shipped, memory);
    edits.suspect(files);
    assert.equal(new KernelEdits(shipped, memory).isSuspect(files), true);
    assert.equal(new KernelEdits(shipped, memory).isSuspect({ "a.wgsl": "other" }), false);
    edits.trust();
    assert.equal(new KernelEdits(shipped, memory).isSuspect(files), false);
  });
});
