import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig } from "../../src/engine/config.js";
import { type LiveRun, noNotes } from "../../src/engine/files/liveRun.js";
import { progressText } from "../../src/report/live/progress.js";
import { runFilter } from "../../src/report/live/runFilter.js";

function run(path: string, state: LiveRun["state"], blobs: number, notes = {}): LiveRun {
  const description = {
    config: completeConfig({ blobs, steps: 10_000, learningRate: 0.01 }),
    image: { name: "astronaut.png" },
    step: 6,
    timings: { seconds: 3 },
    result: { loss: 0.1, psnr: null },
    adapter: "CPU",
    host: "here",
  } as unknown as LiveRun["description"];
  return { path, state, description, notes: { ...noNotes, ...notes } };
}

const runs = [
  run("a/one", "running", 100, { tags: ["First try", "keep"], group: "g" }),
  run("a/two", "stopped", 2000, { notes: "Looks good" }),
  { path: "begins", state: "running", notes: noNotes } as LiveRun,
];
const found = (query: string) => runs.filter(runFilter(query)).map(({ path }) => path);

describe("the search of a live view", () => {
  it("finds words in names, notes and settings", () => {
    assert.deepEqual(found(""), ["a/one", "a/two", "begins"]);
    assert.deepEqual(found("ASTRO"), ["a/one", "a/two"]);
    assert.deepEqual(found("astro good"), ["a/two"]);
    assert.deepEqual(found('"looks good"'), ["a/two"]);
    assert.deepEqual(found("begin"), ["begins"]);
  });

  it("compares settings, results and notes", () => {
    assert.deepEqual(found("blobs>100"), ["a/two"]);
    assert.deepEqual(found("blobs>=100 learning-rate=0.01"), ["a/one", "a/two"]);
    assert.deepEqual(found("learningRate=1e-2 blobs<2000"), ["a/one"]);
    assert.deepEqual(found('tag="first try"'), ["a/one"]);
    assert.deepEqual(found("tag!=keep"), ["a/two", "begins"]);
    assert.deepEqual(found("state=training"), ["a/one", "begins"]);
    assert.deepEqual(found("psnr>30"), ["a/one", "a/two"], "a perfect render");
    assert.deepEqual(found("lerning-rate=0.01"), []);
  });

  it("says how far each run is", () => {
    const texts = (["running", "stopped", "failed", "finished"] as const).map((state) =>
      progressText({ ...runs[0], state }),
    );
    assert.deepEqual(texts, [
      "step 6 of 10,000",
      "stopped at 6 of 10,000",
      "ended without saving, at 6 of 10,000",
      "finished after 6 steps",
    ]);
    assert.equal(progressText(runs[2]), "starting");
    const alerts = [{ kind: "diverged", step: 3, loss: 1, sentence: "Diverged.", part: 1 }];
    const diverged: LiveRun = { ...runs[0], state: "failed", description: { ...runs[0].description!, alerts } };
    assert.equal(progressText({ ...diverged, regions: "1 of 3 regions done" }), "diverged: 1 of 3 regions done");
  });
});
