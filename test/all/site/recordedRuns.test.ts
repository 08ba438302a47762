import assert from "node:assert/strict";
import { cpSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { sweepFile } from "../../../src/engine/files/sweepFile.js";
import { plannedRuns, sweepOf, withoutResult } from "../../../src/engine/sweep/sweep.js";
import { recordedPaths, recordedRuns } from "../../../src/site/recordedRuns.js";
import { temporaryFolder } from "../../cli/command.js";

const folder = temporaryFolder();
const sound = "data/runs/astronaut-seed";

/** Makes a folder with one run, and edits it. */
function runsWith(name: string, change: (run: string) => void): string {
  const runs = join(folder, name);
  cpSync(sound, join(runs, name), { recursive: true });
  change(join(runs, name));
  return runs;
}

describe("published runs", () => {
  it("have a page each, and all of their files except the optimizer", async () => {
    const runs = await recordedRuns();
    const paths: string[] = [];
    for await (const path of recordedPaths()) paths.push(path);
    for (const { name, files } of runs) {
      assert.ok(paths.includes(`/reports/${name}`));
      for (const file of files) assert.ok(paths.includes(`/data/runs/${name}/${file.name}`), file.name);
    }
    const files = runs.find(({ name }) => name === "astronaut-seed")!.files.map(({ name }) => name);
    assert.ok(files.includes("film/000000.png") && files.includes("metrics.arrow"));
    assert.ok(!paths.some((path) => path.includes("optimizer")));
  });

  it("can be sweeps, each with the page of its best run", async () => {
    const sweep = sweepOf({}, { seed: [1, 2] });
    const [worse, best] = plannedRuns(sweep);
    const runs = join(folder, "with-sweep");
    cpSync(sound, join(runs, "swept", best.name), { recursive: true });
    const done = { ...withoutResult("failed", ""), status: "done" } as const;
    const rows = [worse, best].map(({ values, name }, i) => ({ ...done, values, run: name, psnr: 20 + i }));
    const image = { name: "astronaut", width: 96, height: 96 };
    writeFileSync(join(runs, "swept", "sweep.arrow"), sweepFile({ sweep, image, rows }));
    const [run] = await recordedRuns(runs);
    assert.deepEqual([run.name, run.folder, run.sweptRuns], ["swept", "swept/seed-2", 2]);
    assert.ok(run.files.some(({ name }) => name === "film/000000.png"));
    writeFileSync(join(runs, "swept", "sweep.arrow"), sweepFile({ sweep, image, rows: [] }));
    await assert.rejects(recordedRuns(runs), /^Failure: The sweep \S+swept has no finished run\.$/);
  });

  it("may have no film, as in old runs", async () => {
    const runs = runsWith("old", (run) => {
      rmSync(join(run, "film"), { recursive: true });
      const { film: _, ...description } = JSON.parse(readFileSync(join(run, "run.json"), "utf8"));
      writeFileSync(join(run, "run.json"), JSON.stringify(description));
    });
    const [{ files }] = await recordedRuns(runs);
    assert.ok(files.every(({ name }) => !name.startsWith("film")));
  });

  const damages: [string, (run: string) => void, RegExp][] = [
    ["cut", (run) => truncateSync(join(run, "metrics.arrow"), 900), /metrics\.arrow is not a complete Arrow file\.$/],
    ["bare", (run) => rmSync(join(run, "run.json")), /it has no run\.json\.$/],
    ["reel", (run) => rmSync(join(run, "film", "000064.png")), /it has no film\/000064\.png\.$/],
  ];
  it("are rejected with the name of a broken folder", async () => {
    for (const [name, damage, reason] of damages) {
      await assert.rejects(recordedRuns(runsWith(name, damage)), ({ message }: Error) => {
        assert.ok(message.startsWith(`The run data/runs/${name} cannot be used: `), message);
        assert.match(message, reason);
        return true;
      });
    }
  });

  it("are rejected if a name is not part of an address", async () => {
    const runs = runsWith("odd", (run) => renameSync(run, join(run, "..", "two words")));
    await assert.rejects(recordedRuns(runs), /The run data\/runs\/two words cannot be published: its name may/);
  });
});
