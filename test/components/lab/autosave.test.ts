import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, it, vi } from "vitest";
import { Autosave } from "../../../src/components/lab/autosave.js";
import { ChangeSignal } from "../../../src/components/training/follow.js";
import type { Run } from "../../../src/components/training/run.js";
import { defaults } from "../../../src/engine/config.js";
import { readOptimizer } from "../../../src/engine/files/arrow.js";
import { readRunDescription } from "../../../src/engine/files/runDescription.js";
import { stateOf } from "../../../src/engine/model/blobs.js";
import type { RunBlobs, RunStore, StoredRun } from "../../../src/host/browser/runStore.js";
import type { RunContents } from "../../../src/host/browser/writtenRun.js";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("Autosave", () => {
  it("reports a step as stored only once it is, and stores a later small one as the page is left", async () => {
    const locks = { request: async (_name: string, _options: object, take: (lock: object) => unknown) => take({}) };
    vi.stubGlobal("navigator", { locks, userAgent: "" });
    vi.stubGlobal("document", { hidden: false, isConnected: true });
    const page = new EventTarget();
    vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
    // The parts of a run that Autosave uses.
    const run = Object.assign(new ChangeSignal(), {
      config: { ...defaults, blobs: 1 },
      target: { name: "", image: { width: 1, height: 1, data: new Uint8ClampedArray(4) } },
      measured: [{ step: 1, loss: 0.1, psnr: 10, seconds: 1, gradientNorms: {}, tileLists: {} }],
      until: 9,
      adapter: "",
      film: new Map(),
      status: "paused",
      isIdle: true,
      state: { ...stateOf(new Float32Array(9)), step: 1 },
    });
    const puts: (() => void)[] = [];
    const put = () => new Promise<void>((resolve) => puts.push(resolve));
    const left: { entry: StoredRun; files: RunBlobs }[] = [];
    const putAtOnce = (entry: StoredRun, files: RunBlobs) => void left.push({ entry, files });
    const store = { checkLatest() {}, put, putAtOnce } as unknown as RunStore;
    const hash = "0".repeat(64);
    const write = async ({ description }: RunContents) => {
      const image = { ...description.image, hash };
      const files = { "target.png": new Blob(["image"]), "film/000001.png": new Blob(["frame"]) };
      return { files, description: { ...description, image, film: [1, 7] } } as never;
    };
    const safety = new Autosave(store, new Promise(() => {}), write);
    safety.watch(run as unknown as Run);
    const next = async (count: number) => {
      while (puts.length < count) await setImmediate();
    };
    await next(1);
    assert.equal(safety.storedStep, undefined);
    // A step that arrives during a save is saved right after it.
    run.state = { ...run.state, step: 2 };
    run.notify();
    // A page that is left during its first save stores the later step on its own.
    page.dispatchEvent(new Event("pagehide"));
    assert.equal(left.length, 1);
    const { entry, files } = left[0];
    assert.deepEqual([entry.kind, entry.until, entry.description.step, entry.description.film], ["latest", 9, 2, [1]]);
    assert.deepEqual(readRunDescription(await files["run.json"].text()), entry.description);
    assert.equal(entry.description.image.hash, hash);
    assert.equal(await files["target.png"].text(), "image");
    const { firstMoments } = readOptimizer(new Uint8Array(await files["optimizer.arrow"].arrayBuffer()));
    assert.deepEqual(firstMoments, run.state.firstMoments);
    puts[0]();
    await next(2);
    assert.equal(safety.storedStep, 1);
    puts[1]();
    await safety.change.changed;
    assert.equal(safety.storedStep, 2);
    page.dispatchEvent(new Event("pagehide"));
    assert.equal(left.length, 1, "the step is stored already");
    run.state = { ...stateOf(new Float32Array(9 * 10_000)), step: 3 };
    page.dispatchEvent(new Event("pagehide"));
    assert.equal(left.length, 1, "it may be too large to be read before the page is gone");
  });
});
