import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, it, vi } from "vitest";
import { Autosave } from "../../../src/components/lab/autosave.js";
import { ChangeSignal } from "../../../src/components/training/follow.js";
import type { Run } from "../../../src/components/training/run.js";
import { stateOf } from "../../../src/engine/model/blobs.js";
import type { RunStore } from "../../../src/host/browser/runStore.js";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("Autosave", () => {
  it("reports a step as stored only once it is", async () => {
    const locks = { request: async (_name: string, _options: object, take: (lock: object) => unknown) => take({}) };
    vi.stubGlobal("navigator", { locks, userAgent: "" });
    vi.stubGlobal("document", { hidden: false, isConnected: true });
    // The parts of a run that Autosave uses.
    const run = Object.assign(new ChangeSignal(), {
      config: { blobs: 1 },
      target: { name: "", image: { width: 1, height: 1 } },
      measured: [],
      film: new Map(),
      status: "paused",
      firstStep: 0,
      state: { ...stateOf(new Float32Array(9)), step: 1 },
    });
    const puts: (() => void)[] = [];
    const put = () => new Promise<void>((resolve) => puts.push(resolve));
    const store = { checkLatest() {}, put } as unknown as RunStore;
    const written = async () => ({ files: {}, description: { timings: {} } }) as never;
    const safety = new Autosave(store, new Promise(() => {}), written);
    safety.watch(run as unknown as Run);
    const next = async (count: number) => {
      while (puts.length < count) await setImmediate();
    };
    await next(1);
    assert.equal(safety.storedStep, undefined);
    // A step that arrives during a save is saved right after it.
    run.state = { ...run.state, step: 2 };
    run.notify();
    puts[0]();
    await next(2);
    assert.equal(safety.storedStep, 1);
    puts[1]();
    await safety.change.changed;
    assert.equal(safety.storedStep, 2);
  });
});
