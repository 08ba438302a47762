import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { describe, it } from "vitest";
import { paceOf, Race, type Runner } from "../../../../../src/components/learn/realtime/race.js";
import {
  defaultParticipants,
  exclusionReason,
  type RaceJob,
} from "../../../../../src/components/learn/realtime/raceJob.js";
import { type Program, programs } from "../../../../../src/engine/bench/realtime/programs.js";
import { cpuBackend } from "../../../../../src/engine/cpu/pipeline.js";
import { toImage } from "../../../../../src/engine/image/image.js";
import { psnr } from "../../../../../src/engine/image/metrics.js";
import type { Backend } from "../../../../../src/engine/pipeline.js";
import type { BrowserEngine } from "../../../../../src/host/browser/engine.js";
import { shaders } from "../../../../support/gpu.js";
import { testImage } from "../../../../support/scenes.js";

/** The CPU engine at a millisecond or more per step, so that no program ends within a few batches on any machine. */
const pacedBackend: Backend = {
  ...cpuBackend,
  async open(...job) {
    const pipeline = await cpuBackend.open(...job);
    const advance = pipeline.advance.bind(pipeline);
    pipeline.advance = async (steps, options) => {
      const [done] = await Promise.all([advance(steps, options), wait(steps)]);
      return done;
    };
    return pipeline;
  },
};

/** An engine that runs all programs on the CPU. */
const engine: BrowserEngine = {
  kind: "gpu",
  description: "this thread",
  pipelines: ["simple", "tiled", "binned"],
  shaders,
  backend: () => pacedBackend,
  restart() {},
  close() {},
};
const inspectRender = async (...[render, target]: Parameters<typeof psnr>) => ({
  image: toImage(render),
  psnr: psnr(render, target),
});
const job: RaceJob = { blobs: 8, tile: [8, 4], gaussiansPerBlock: 16 };
const target = testImage(8, 8);
const raceOf = (participants: readonly Program[] = programs, on = engine) =>
  new Race(on, job, target, participants, inspectRender);

/**
 * Waits for a change after which a condition holds.
 * @throws Error if the race ends before that
 */
async function until(race: Race, holds: () => boolean): Promise<void> {
  for (;;) {
    const { changed } = race;
    if (holds()) return;
    if (race.state === "failed" || race.state === "done") throw new Error(race.message);
    await changed;
  }
}

describe("Race", () => {
  it("runs the program with the least time next, pauses, continues, and yields the standings", async () => {
    const race = raceOf();
    const first = (await race.standings().next()).value as Runner[];
    assert.deepEqual(
      first.map(({ program, step, points }) => [program, step, points.length]),
      programs.map((program) => [program, 0, 0]),
    );
    let longestBatch = 0;
    let before = race.runners.map(() => 0);
    const watch = () => {
      const seconds = race.runners.map((runner) => runner.seconds);
      const at = seconds.findIndex((time, index) => time !== before[index]);
      if (at >= 0) {
        assert.equal(before[at], Math.min(...before), "another program has had less time");
        longestBatch = Math.max(longestBatch, seconds[at] - before[at]);
      }
      before = seconds;
    };
    race.start();
    race.start();
    await until(race, () => {
      watch();
      return race.runners.every(({ rounds }) => rounds.length > 0);
    });
    race.pause();
    await until(race, () => {
      watch();
      return race.state === "paused";
    });
    assert.deepEqual((await race.standings().next()).value, race.runners);
    for (const { step, seconds, rounds, points, image, program } of race.runners) {
      assert.ok(step > 0 && image?.width === 8 && points.length > 0, program.name);
      const pace = paceOf({ rounds })!;
      assert.ok(pace.low <= pace.median && pace.median <= pace.high);
      assert.ok(Math.abs(seconds - before[0]) <= longestBatch);
    }
    assert.ok(race.trained && race.trained.step > 0 && race.trained.parameters.length === 72);
    const steps = race.runners.map(({ step }) => step);
    race.start();
    await until(race, () => race.runners.some(({ step }, index) => step > steps[index]));
    await race.free();
    const standings = race.standings();
    await standings.next();
    assert.ok((await standings.next()).done, "standings end with the race");
  });

  it("excludes programs that cannot run the job, and by default slow ones", () => {
    const small = { width: 8, height: 8 };
    const [kept, undone] = programs;
    assert.match(exclusionReason(kept, { blobs: 600 }, small)!, /at most 512/);
    assert.equal(exclusionReason(undone, { blobs: 600 }, small), undefined);
    assert.deepEqual(defaultParticipants({ blobs: 40_960 }, { width: 512, height: 512 }), programs.slice(2));
    assert.deepEqual(defaultParticipants(job, small), programs);
  });

  it("runs only the participants", async () => {
    const race = raceOf([programs[2], programs[4]]);
    race.start();
    await until(race, () => race.runners[4].step > 0 && race.runners[2].step > 0);
    await race.free();
    assert.deepEqual(
      race.runners.map(({ step }) => step > 0),
      [false, false, true, false, true],
    );
  });
});
