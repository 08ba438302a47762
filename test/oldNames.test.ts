// Files of version 0.1.0, before the preset `seed` became `baseline` and `composite` became `background`. Those in
// support/oldNames were written at the last commit with the old names.
import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { readSweepLink } from "../src/components/sweep/sweepLink.js";
import { readLink } from "../src/components/training/link.js";
import { completeConfig } from "../src/engine/config.js";
import { readGradients, readMetrics, readParameters } from "../src/engine/files/arrow.js";
import { readConfigFile } from "../src/engine/files/configFile.js";
import { readRunDescription } from "../src/engine/files/runDescription.js";
import { decodeSplat2d } from "../src/engine/files/splat2d/splat2d.js";
import { readSweepFile } from "../src/engine/files/sweepFile.js";
import { withPresentNames } from "../src/engine/oldNames.js";
import { projectRoot } from "../src/host/node/install.js";
import { readSweepJob } from "../src/runs/sweepJob.js";
import { splatbook, temporaryFolder } from "./cli/command.js";

const old = join(projectRoot, "test", "support", "oldNames");
const bytesOf = (name: string) => readFileSync(join(old, name));
const textOf = (name: string) => bytesOf(name).toString();
const describeRun = (folder: string) => JSON.parse(readFileSync(join(folder, "run.json"), "utf8"));
const folder = temporaryFolder();

/** The configuration of the run in support/oldNames. */
const config = completeConfig({ blobs: 6, steps: 4, pipeline: "cpu", background: "white" });

describe("withPresentNames()", () => {
  it("renames fields and values, in lists and in texts", () => {
    const given = { blobs: 5, composite: "seed", preset: ["seed", "quality"], seed: 3 };
    assert.deepEqual(withPresentNames(given), {
      blobs: 5,
      background: "original",
      preset: ["baseline", "quality"],
      seed: 3,
    });
    assert.deepEqual(withPresentNames({ composite: "white, seed" }), { background: "white, original" });
  });

  it("changes nothing else, and leaves a field with both names to be refused", () => {
    const present = { background: "original", preset: "baseline", initializer: "seed", constructor: "seed" };
    assert.deepEqual(withPresentNames(present), present);
    for (const none of [undefined, null, "seed", ["seed"]]) assert.equal(withPresentNames(none), none);
    const both = withPresentNames({ composite: "seed", background: "white" });
    assert.throws(
      () => completeConfig(both),
      /^ConfigError: config must be made of the fields .* \(got "composite"\)\.$/,
    );
  });
});

describe("data with the old names", () => {
  it("is read from each file of a run", async () => {
    assert.deepEqual(readRunDescription(textOf("run/run.json")).config, config);
    assert.deepEqual(readParameters(bytesOf("run/parameters.arrow")).config, config);
    assert.deepEqual(readMetrics(bytesOf("run/metrics.arrow")).config, config);
    assert.deepEqual(readGradients(bytesOf("run/gradients.arrow")).config, config);
    const drawn = decodeSplat2d(bytesOf("run/blobs.splat2d")).config;
    assert.deepEqual([drawn.preset, drawn.background], ["baseline", "white"]);
  });

  it("trains to the same bits, and resumes", async () => {
    const again = join(folder, "again");
    const settings = ["--config", join(old, "run", "run.json"), "--out", again];
    const trained = await splatbook(["fit", join(old, "run", "target.png"), ...settings]);
    assert.equal(trained.code, 0, trained.stderr);
    const { parameters } = readParameters(bytesOf("run/parameters.arrow"));
    assert.deepEqual(readParameters(readFileSync(join(again, "parameters.arrow"))).parameters, parameters);
    const resumed = join(folder, "resumed");
    cpSync(join(old, "run"), resumed, { recursive: true });
    const { code, stderr } = await splatbook(["fit", "--resume", resumed, "--steps", "6", "--out", resumed]);
    assert.equal(code, 0, stderr);
    const written = describeRun(resumed);
    assert.deepEqual([written.step, written.config], [6, JSON.parse(JSON.stringify({ ...config, steps: 6 }))]);
  });

  it("is loaded from config.json, with or without its envelope", () => {
    const expected = completeConfig({ preset: "quality", blobs: 77, background: "white" });
    assert.deepEqual(completeConfig(readConfigFile(textOf("config.json"), "config.json").config), expected);
  });

  it("can be read from links", () => {
    const links = JSON.parse(textOf("links.json"));
    assert.deepEqual(readLink(links.lab).config, { preset: "quality", blobs: 77, background: "white" });
    assert.deepEqual(completeConfig(readLink(links.whole).config), completeConfig({ blobs: 77 }));
    const { vary } = readSweepLink(links.sweep, "cpu");
    assert.deepEqual(vary, [
      { field: "background", values: ["original", "white"] },
      { field: "preset", values: ["baseline", "quality"] },
    ]);
  });

  it("can be read from the description and the table of a sweep", async () => {
    const vary = [
      { field: "background", values: ["original", "white"] },
      { field: "preset", values: ["baseline"] },
    ];
    assert.deepEqual((await readSweepJob(join(old, "sweep", "sweep.json"))).sweep.vary, vary);
    const { sweep, rows } = readSweepFile(bytesOf("sweep/sweep.arrow"));
    assert.deepEqual(sweep.vary, vary);
    const values = rows.map((row) => row.values);
    assert.deepEqual(values, [
      ["original", "baseline"],
      ["white", "baseline"],
    ]);
  });

  it("is kept under the present names when a sweep resumes", async () => {
    const out = join(folder, "sweep");
    cpSync(join(old, "sweep"), out, { recursive: true });
    const { code, stderr } = await splatbook(["sweep", "--resume", out]);
    assert.equal(code, 0, stderr);
    const folders = readdirSync(out).filter((name) => statSync(join(out, name)).isDirectory());
    const names = ["background-original_preset-baseline", "background-white_preset-baseline"];
    assert.deepEqual(folders.sort(), names);
    for (const [i, name] of names.entries()) {
      const before = `composite=${["seed", "white"][i]},preset=seed`;
      // No run was trained again.
      assert.deepEqual(describeRun(join(out, name)), describeRun(join(old, "sweep", before)));
    }
    const { rows } = readSweepFile(readFileSync(join(out, "sweep.arrow")));
    assert.deepEqual(
      rows.map(({ run, status }) => [run, status]),
      names.map((name) => [name, "done"]),
    );
  });
});

describe("the command line", () => {
  const image = join(old, "run", "target.png");
  const small = ["--pipeline", "cpu", "--blobs", "3", "--steps", "2"];

  it("accepts the old names of a preset and a background", async () => {
    const flags = ["--preset", "quality", "--composite=seed"];
    const run = join(folder, "flags");
    const fitted = await splatbook(["fit", image, ...small, ...flags, "--out", run]);
    assert.equal(fitted.code, 0, fitted.stderr);
    const { config: written } = describeRun(run);
    assert.deepEqual([written.preset, written.background, "composite" in written], ["quality", "original", false]);
    const out = join(folder, "grid");
    const grid = ["--vary", "composite=seed,white", "--vary", "--preset=seed"];
    const { code, stderr } = await splatbook(["sweep", image, ...small, ...grid, "--out", out]);
    assert.equal(code, 0, stderr);
    assert.ok(existsSync(join(out, "background-original_preset-baseline", "run.json")));
  });

  it("shows only the new names in its help and errors", async () => {
    const { stderr } = await splatbook(["fit", image, "--composite", "wite"]);
    assert.match(
      stderr,
      /^--background must be one of original, white, black \(got "wite"; did you mean white\?\)\.\n$/,
    );
    const { stdout } = await splatbook(["fit", "--help"]);
    assert.doesNotMatch(stdout, /composite/);
  });
});
