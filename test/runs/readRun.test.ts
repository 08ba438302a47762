import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, vi } from "vitest";
import { readGradients } from "../../src/engine/files/arrow.js";
import { decodeImage } from "../../src/host/node/imageFile.js";
import { smallImage, splatbook, temporaryFolder } from "../cli/command.js";

const folder = temporaryFolder();
const run = join(folder, "run");
const fit = ["fit", await smallImage(folder), "--pipeline", "cpu", "--blobs", "5", "--steps", "4"];
await splatbook([...fit, "--record-gradients-every", "2", "--out", run]);
const recorded = () => readGradients(readFileSync(join(run, "gradients.arrow"))).records;

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

describe("splatbook gradients", () => {
  it("writes the gradients at the run's parameters, which equal the run's last record", async () => {
    const out = join(folder, "new", "gradients.arrow");
    const { code, stdout, stderr } = await splatbook(["gradients", run, "--out", out]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /gradients\.arrow: gradients of step 5, norms center \S+, variance/);
    const { records } = readGradients(readFileSync(out));
    assert.deepEqual(records, recorded().slice(-1));
  });

  it("keeps the run's records when it writes into the run", async () => {
    const before = recorded();
    const { stdout } = await splatbook(["gradients", run, "--json"]);
    assert.equal(JSON.parse(stdout).step, 5);
    assert.deepEqual(recorded(), before);
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
