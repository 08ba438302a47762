import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { describe, it } from "vitest";
import { completeConfig, type TrainConfig } from "../../../src/engine/config.js";
import { readMetrics } from "../../../src/engine/files/arrow.js";
import { writeConfigFile } from "../../../src/engine/files/configFile.js";
import { projectRoot } from "../../../src/host/node/install.js";
import { smallImage, splatbook, temporaryFolder } from "../../cli/command.js";

const folder = temporaryFolder();
const imagePath = await smallImage(folder);
const small = ["--pipeline", "cpu", "--blobs", "12", "--steps", "4"];
const describeRun = (run: string) => JSON.parse(readFileSync(join(folder, run, "run.json"), "utf8"));
const command = join(projectRoot, "src", "cli", "splatbook.js");

/** Runs the command with stdin. */
function piped(args: string[], input: Uint8Array) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { input, cwd: folder });
  return { code: status, stdout, stderr: String(stderr) };
}

describe("splatbook fit", () => {
  it("takes the settings of a config.json or run.json, which typed options override", async () => {
    const configOf = async (file: object, ...more: string[]): Promise<TrainConfig> => {
      writeFileSync(join(folder, "config.json"), JSON.stringify(file));
      const out = join(folder, `config-${Math.random()}`);
      const args = ["--config", join(folder, "config.json"), "--steps", "2", "--quiet", "--json", "--out", out];
      const { code, stdout, stderr } = await splatbook(["fit", imagePath, ...args, ...more]);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout).config;
    };
    const config = completeConfig({ blobs: 12, pipeline: "cpu", tile: [8, 8], learningRate: 0.01, seed: 7 });
    const target = { name: "coffee", inGallery: "coffee", image: { width: 2, height: 1 } };
    const exported = JSON.parse(writeConfigFile(config, target));
    // The covariance scale follows from the blobs.
    const more = completeConfig({ ...config, covarianceScale: undefined, blobs: 20, steps: 2, tile: [4, 8] });
    assert.deepEqual(await configOf(exported, "--blobs", "20", "--tile", "4x8"), more);
    assert.equal((await configOf({ version: 1, image: {}, config: { blobs: 9, pipeline: "cpu" } })).blobs, 9);
  });

  it("reads an image from stdin, and streams JSON lines", () => {
    const args = [...small, "--record-every", "2", "--json-lines", "--quiet"];
    const { code, stdout, stderr } = piped(["fit", "-", ...args], readFileSync(imagePath));
    assert.deepEqual([code, stderr], [0, ""]);
    const lines = String(stdout)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const { rows } = readMetrics(readFileSync(join(folder, "runs", "stdin", "metrics.arrow")));
    const out = join("runs", "stdin");
    assert.deepEqual(
      lines.slice(0, -1),
      rows.map((row) => ({ event: "step", out, blobs: 12, ...row })),
    );
    assert.deepEqual(lines.at(-1), { event: "result", out, ...describeRun(out) });
    assert.equal(describeRun(out).image.name, "stdin");
  });
});

describe("--out -", () => {
  it("writes the file to stdout, and the summary to stderr", async () => {
    mkdirSync(join(folder, "runs"), { recursive: true });
    const run = join(folder, "runs", "piped");
    assert.equal((await splatbook(["fit", imagePath, ...small, "--out", run])).code, 0);
    const nothing = new Uint8Array();
    const drawn = piped(["render", run, "--out", "-"], nothing);
    assert.match(drawn.stderr, /^stdout: 24x16 pixels\n$/);
    assert.deepEqual(drawn.stdout, readFileSync(join(run, "render.png")));
    const { stdout } = piped(["gradients", run, "--out", "-"], nothing);
    assert.equal(tableFromIPC(stdout).numRows, 12);
  });
});
