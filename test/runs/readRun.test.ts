import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, vi } from "vitest";
import { cpuBackend } from "../../src/engine/cpu/pipeline.js";
import { readGradients } from "../../src/engine/files/arrow.js";
import { Trainer } from "../../src/engine/training/trainer.js";
import { decodeImage } from "../../src/host/node/imageFile.js";
import { smallImage, splatbook, temporaryFolder } from "../cli/command.js";

const folder = temporaryFolder();
const run = join(folder, "run");
const fit = ["fit", await smallImage(folder), "--pipeline", "cpu", "--blobs", "5", "--steps", "4"];
await splatbook([...fit, "--record-gradients-every", "2", "--out", run]);

describe("a command that reads a run", () => {
  it("reads its tables in a thread", async () => {
    vi.resetModules();
    const { openRunFolder } = await import("../../src/runs/runFolder.js");
    let threads = 0;
    const count = () => threads++;
    process.on("worker", count);
    const { step } = await (await openRunFolder(run)).state();
    process.off("worker", count);
    assert.deepEqual([step, threads], [4, 1]);
  });
});

describe("the gradients of a run", () => {
  it("end with those at its final parameters", async () => {
    const { openRunFolder } = await import("../../src/runs/runFolder.js");
    const record = await openRunFolder(run);
    const { config } = record.description;
    const trainer = new Trainer(config, await record.target(), cpuBackend, await record.parameters());
    const { gradients } = await trainer.inspect();
    const { records } = readGradients(readFileSync(join(run, "gradients.arrow")));
    assert.deepEqual(
      records.map(({ step }) => step),
      [2, 4, 5],
    );
    assert.deepEqual(records[2].gradients, gradients);
  });
});

describe("splatbook render", () => {
  it("draws the blobs at any size", async () => {
    const out = join(folder, "large.png");
    const { stdout } = await splatbook(["render", run, "--size", "48x32", "--out", out, "--json"]);
    assert.deepEqual(JSON.parse(stdout), { out, width: 48, height: 32 });
    const [large, small] = await Promise.all([decodeImage(out), decodeImage(join(run, "render.png"))]);
    assert.deepEqual([large.width, large.height], [48, 32]);
    // A pixel is drawn at its corner, so every other pixel of the large render is one of the small render.
    const corners = large.data.filter((_, i) => ((i >> 2) % 48) % 2 === 0 && Math.floor((i >> 2) / 48) % 2 === 0);
    assert.deepEqual(corners, small.data);
  });
});
