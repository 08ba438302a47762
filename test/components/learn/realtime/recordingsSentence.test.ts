import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "vitest";
import { benchmarkTimes, chapterTimes } from "../../../../src/components/learn/realtime/recordingsSentence.js";
import type { BenchResult, Measurement } from "../../../../src/engine/bench/benchResult.js";
import type { RealtimeResult } from "../../../../src/engine/bench/realtime/realtimeResult.js";

const realtime: RealtimeResult = JSON.parse(readFileSync("data/bench/realtime.json", "utf8"));
const headline: BenchResult = JSON.parse(readFileSync("data/bench/h200-headline.json", "utf8"));

/** A benchmark in which tiled has 10 steps of warm-up and two rounds, and binned 1,000 and two longer ones. */
const bench = {
  config: { blobs: 40_960 },
  measurements: [
    { pipeline: "tiled", steps: 30, roundSteps: [10, 10], rounds: [8, 6], median: 7 },
    { pipeline: "binned", steps: 3000, roundSteps: [1000, 1000], rounds: [0.2, 0.1], median: 0.15 },
  ] as Measurement[],
} as BenchResult;

describe("the two recordings of one job", () => {
  it("are named with their times and the steps over which these were measured", () => {
    assert.equal(
      benchmarkTimes(bench),
      "7 ms for tiled over steps 10 to 30, and 150 µs for binned over steps 1,000 to 3,000",
    );
    const job = {
      blobs: 40_960,
      startStep: 500,
      times: [
        { name: "tiles-kept", median: 9 },
        { name: "tiles-undo", median: 6.5 },
        { name: "binned", median: 0.19 },
      ],
    };
    const result = { jobs: [{ blobs: 200 }, job] } as unknown as RealtimeResult;
    assert.equal(
      chapterTimes(result, bench),
      "6.5 ms for tiled and 190 µs for binned, in rounds that all start after step 500",
    );
  });

  it("differ because a step becomes faster as training goes on, as the chapter says", () => {
    for (const { pipeline, rounds } of headline.measurements) assert.ok(rounds.at(-1)! < rounds[0], pipeline);
    const { times, startStep } = realtime.jobs.find(({ blobs }) => blobs === headline.config.blobs)!;
    const [tiled, binned] = headline.measurements;
    const medianOf = (program: string) => times.find(({ name }) => name === program)!.median;
    // The rounds of tiled begin before that step and end after it; those of binned all come later.
    const startOf = ({ steps, roundSteps }: Measurement) => steps - roundSteps.reduce((sum, each) => sum + each, 0);
    assert.ok(startOf(tiled) < startStep && startStep < tiled.steps && startStep < startOf(binned));
    assert.ok(tiled.rounds.at(-1)! < medianOf("tiles-undo") && medianOf("tiles-undo") < tiled.rounds[0]);
    assert.ok(binned.rounds[0] < medianOf("binned"));
  });
});
