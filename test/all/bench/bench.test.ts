import assert from "node:assert/strict";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { recordCommand } from "../../../src/bench/recordings.js";
import { resizeImage } from "../../../src/bench/resize.js";
import { checkoutSite } from "../../../src/bench/site.js";
import { projectRoot } from "../../../src/host/node/install.js";
import { failureOf } from "../../../src/terminal/run.js";
import { node, smallImage, splatbook, splatbookProcess, temporaryFolder } from "../../cli/command.js";

const imagePath = await smallImage(temporaryFolder());

describe("splatbook bench", () => {
  it("prints a table, and measures for --seconds without --steps", async () => {
    const { stdout } = await splatbook(["bench", imagePath, "--pipelines", "cpu", "--blobs", "5", "--seconds", "0.5"]);
    assert.match(stdout, /^small\.png, 24x16; 5 blobs, tiles of 8x4, GAUSSIANS_PER_BLOCK auto\n/);
    const [, steps] = /^cpu +(?:\S+ +){5}\S+e\+\d +- +- +\d+\.\d\d dB +(\d+) steps$/m.exec(stdout) ?? [];
    assert.ok(Number(steps) >= 4, stdout);
  });
});

describe("splatbook bench --pipelines cpu", () => {
  // Large enough for several tasks per step.
  const job = ["--pipelines", "cpu", "--blobs", "500", "--steps", "2", "--size", "64x64", "--json", "--quiet"];

  it("computes the same with any number of --workers, and exits", async () => {
    const measured = async (run: typeof splatbook, workers: string) => {
      const { code, stdout, stderr } = await run(["bench", imagePath, ...job, "--workers", workers]);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout).measurements[0];
    };
    const one = await measured(splatbook, "1");
    // A separate process, which exits only if its workers do.
    const three = await measured(splatbookProcess, "3");
    assert.deepEqual([one.adapter, three.adapter], ["CPU, 1 worker", "CPU, 3 workers"]);
    assert.equal(three.psnr, one.psnr);
  });

  it("runs from the bundle on a host without packages", async () => {
    const bundled = await node(["--import", "tsx", join(projectRoot, "src", "bench", "bundle.ts")]);
    assert.equal(bundled.code, 0, bundled.stderr);
    const folder = temporaryFolder();
    cpSync(join(projectRoot, ".dev", "bench"), folder, { recursive: true });
    const { code, stdout, stderr } = await node([join(folder, "bench.mjs"), ...job, "--workers", "2"]);
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).measurements[0].adapter, "CPU, 2 workers");
  });
});

describe("npm run bench:record", () => {
  const site = { ...checkoutSite(), versions: {}, commit: "0123abc-dirty" };

  it("needs a clean commit and known files", async () => {
    const out = join(temporaryFolder(), "recorded");
    const failureOn = (...args: string[]) => {
      const command = recordCommand(site, () => ["-e", "process.exit(1)"]);
      return failureOf(command, ["node", "record", "--into", out, ...args]);
    };
    assert.match((await failureOn("scaling.arrow"))!.message, /Commit your changes first\.$/);
    assert.match(
      (await failureOn("--tiny", "x.json"))!.message,
      /^files must be any of h200-headline\.json, .* \(got "x\.json"\)\.$/,
    );
    assert.equal((await failureOn("--tiny", "realtime.json"))!.message, "realtime.json could not be recorded.");
  });

  it("writes the output of a program only if the program succeeds", async () => {
    const out = join(temporaryFolder(), "recorded");
    const made = (code: string) =>
      failureOf(
        recordCommand({ ...site, commit: "0123abc" }, () => ["-e", code, "--"]),
        [...["node", "record", "h200-headline.json", "--into", out]],
      );
    assert.equal(await made("console.log(JSON.stringify(process.argv.slice(1)))"), undefined);
    const file = join(out, "h200-headline.json");
    assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), ["--pipelines", "tiled,binned", "--json"]);
    assert.ok(await made("console.log(1); process.exit(1)"));
    assert.ok(readFileSync(file, "utf8").includes("tiled"));
  });
});

describe("resizeImage()", () => {
  const image = {
    width: 4,
    height: 2,
    data: Uint8ClampedArray.from({ length: 32 }, (_, i) => ((i & 3) === 3 ? 255 : i)),
  };
  const reds = ({ data }: { data: Uint8ClampedArray }) => [...data].filter((_, i) => (i & 3) === 0);

  it("crops around the centre and averages source pixels, or repeats them if it enlarges", () => {
    assert.deepEqual(reds(resizeImage(image, { width: 1, height: 1 })), [(4 + 8 + 20 + 24) / 4]);
    assert.deepEqual(reds(resizeImage(image, { width: 8, height: 4 })).slice(0, 8), [0, 0, 4, 4, 8, 8, 12, 12]);
  });
});
