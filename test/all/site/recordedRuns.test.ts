import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { sweepFile } from "../../../src/engine/files/sweepFile.js";
import type { Image } from "../../../src/engine/image/image.js";
import { plannedRuns, sweepOf, withoutResult } from "../../../src/engine/sweep/sweep.js";
import { decodeImage, decodeImageBytes } from "../../../src/host/node/imageFile.js";
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

/** Mean of each channel. */
function mean({ data }: Image): number[] {
  return [0, 1, 2].map((channel) => {
    let sum = 0;
    for (let i = channel; i < data.length; i += 4) sum += data[i];
    return sum / (data.length / 4);
  });
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

  it("have thumbnails of their renders", async () => {
    for (const { name, thumbnail } of await recordedRuns()) {
      const bytes = Buffer.from(thumbnail.slice(thumbnail.indexOf(",") + 1), "base64");
      const small = await decodeImageBytes(bytes, name);
      const render = await decodeImage(`data/runs/${name}/render.png`);
      const shorter = Math.min(render.width, render.height);
      const sides = [render.width, render.height].map((side) => Math.round((144 * side) / shorter));
      assert.deepEqual([small.width, small.height], sides);
      const whole = mean(render);
      for (const [channel, value] of mean(small).entries()) assert.ok(Math.abs(value - whole[channel]) < 3, name);
    }
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
      writeFileSync(join(run, "run.json"), describeWithoutFilm(join(run, "run.json")));
    });
    const [{ name, files }] = await recordedRuns(runs);
    assert.equal(name, "old");
    assert.ok(files.every((file) => !file.name.startsWith("film")));
  });

  it("are rejected if fitted in regions, with the command that shows their image", async () => {
    const runs = runsWith("parted", (run) => {
      const description = JSON.parse(readFileSync(join(run, "run.json"), "utf8"));
      const regions = { side: 64, list: [], windows: 0, done: 0 };
      writeFileSync(join(run, "run.json"), JSON.stringify({ ...description, regions }));
    });
    await assert.rejects(
      recordedRuns(runs),
      /^Failure: The run data\/runs\/parted cannot be used: it was fitted in regions, which have no report; splatbook render data\/runs\/parted shows its image\.$/,
    );
  });

  const damages: [string, (run: string) => void, RegExp][] = [
    ["cut", (run) => truncateSync(join(run, "metrics.arrow"), 900), /metrics\.arrow is not a complete Arrow file\.$/],
    ["bare", (run) => rmSync(join(run, "run.json")), /it has no run\.json\.$/],
    ["reel", (run) => rmSync(join(run, "film", "000064.png")), /it has no film\/000064\.png\.$/],
  ];
  for (const [name, damage, sentence] of damages) {
    it(`are rejected with the name of a broken folder: ${name}`, async () => {
      await assert.rejects(recordedRuns(runsWith(name, damage)), (error: Error) => {
        assert.ok(error.message.startsWith(`The run data/runs/${name} cannot be used: `), error.message);
        assert.match(error.message, sentence);
        return true;
      });
    });
  }

  it("are rejected if a name is not part of an address, or if a folder is empty", async () => {
    const runs = runsWith("odd", (run) => renameSync(run, join(run, "..", "two words")));
    await assert.rejects(recordedRuns(runs), /The run data\/runs\/two words cannot be published: its name may/);
    mkdirSync(join(folder, "hollow", "empty"), { recursive: true });
    await assert.rejects(
      recordedRuns(join(folder, "hollow")),
      /The run data\/runs\/empty cannot be used: it has no run\.json\./,
    );
  });
});

function describeWithoutFilm(path: string): string {
  const { film, ...description } = JSON.parse(readFileSync(path, "utf8"));
  assert.ok(film);
  return JSON.stringify(description);
}
