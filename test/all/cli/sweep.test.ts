import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { JSDOM } from "jsdom";
import { describe, it, vi } from "vitest";
import { makeProgram } from "../../../src/cli/program.js";
import { sweepCommand } from "../../../src/cli/sweepCommand.js";
import { readSweepFile } from "../../../src/engine/files/sweepFile.js";
import { lockName } from "../../../src/runs/lock.js";
import { toFailure } from "../../../src/terminal/failure.js";
import { smallImage, splatbook, temporaryFolder } from "../../cli/command.js";

const folder = temporaryFolder();
const imagePath = await smallImage(folder);
const small = ["--pipeline", "cpu", "--blobs", "12", "--steps", "6"];
const vary = ["--vary", "--learning-rate=0.01,0.1", "--vary", "parameterization=smoothstep,direct"];

/** A finished sweep for several tests: four runs, of which the two with smoothstep cannot be trained. */
const whole = join(folder, "whole");
const swept = await splatbook(["sweep", imagePath, ...small, "--initializer", "gradient", ...vary, "--out", whole]);

const tableOf = (out: string) => readSweepFile(readFileSync(join(out, "sweep.arrow")));
const runOf = (out: string, name: string) => JSON.parse(readFileSync(join(out, name, "run.json"), "utf8"));
const foldersOf = (out: string) =>
  readdirSync(out)
    .filter((name) => statSync(join(out, name)).isDirectory())
    .sort();

/** Returns the document of a report, without the styles, which jsdom cannot read. */
const documentIn = (file: string) =>
  new JSDOM(readFileSync(file, "utf8").replace(/<style>.*?<\/style>/s, "")).window.document;

/** Runs a sweep in this process, and returns the sentence and the exit code of its failure. */
async function refusalOf(args: string[], given = sweepCommand()): Promise<[sentence: string, code: number]> {
  const command = given.exitOverride();
  const { message, exitCode } = await command.parseAsync(args, { from: "user" }).then(() => assert.fail(), toFailure);
  return [message, exitCode];
}

describe("splatbook sweep", () => {
  it("writes each run as fit does, and a table with the same values as the folders", () => {
    assert.equal(swept.code, 0, swept.stderr);
    const names = ["learningRate-0p01_parameterization-direct", "learningRate-0p1_parameterization-direct"];
    assert.deepEqual(foldersOf(whole), names);
    const { rows, image } = tableOf(whole);
    assert.deepEqual(image, { name: "small.png", width: 24, height: 16 });
    assert.deepEqual(
      rows.map(({ values, status, run }) => [...values, status, run]),
      [
        [0.01, "smoothstep", "refused", ""],
        [0.01, "direct", "done", names[0]],
        [0.1, "smoothstep", "refused", ""],
        [0.1, "direct", "done", names[1]],
      ],
    );
    for (const [row, name] of [1, 3].map((i, n) => [rows[i], names[n]] as const)) {
      const { config, step, result, timings } = runOf(whole, name);
      assert.equal(config.learningRate, row.values[0]);
      assert.equal(existsSync(join(whole, name, "parameters.arrow")), true);
      assert.deepEqual(
        [row.step, row.loss, row.psnr, row.seconds, row.stepsPerSecond],
        [step, result.loss, result.psnr, timings.seconds, timings.stepsPerSecond],
      );
    }
    assert.match(
      rows[0].sentence,
      /^initializer must be uniform unless parameterization is direct \(got "gradient"\)\.$/,
    );
    assert.match(
      swept.stdout,
      /: 2 of 4 runs, 2 refused; the best has PSNR \d+\.\d\d dB with learningRate 0\.1, parameterization direct\n$/,
    );
  });

  it("stops on Ctrl-C, resumes, and ends like an uninterrupted sweep", async () => {
    const job = [imagePath, "--pipeline", "cpu", "--blobs", "12", "--record-gradients-every", "5"];
    const out = join(folder, "stopped");
    const stopping = splatbook(["sweep", ...job, "--vary", "steps=20,1000,30", "--out", out]);
    await vi.waitFor(
      () => {
        assert.ok(existsSync(join(out, "steps-20")));
        const attempts = join(out, ".splatbook-farm", "attempts");
        const [attempt] = readdirSync(attempts);
        assert.ok(existsSync(join(attempts, attempt, ".splatbook-next-gradients")));
      },
      { timeout: 60_000, interval: 5 },
    );
    process.emit("SIGINT");
    const stopped = await stopping;
    assert.equal(stopped.code, 130, stopped.stderr);
    assert.match(stopped.stderr, /Stopped with 1 of 3 runs done\. Resume with: splatbook sweep --resume \S+stopped\n$/);
    const half = tableOf(out).rows;
    assert.deepEqual(
      half.map(({ status, run }) => [status, run]),
      [
        ["done", "steps-20"],
        ["stopped", "steps-1000"],
      ],
    );
    assert.ok(half[1].step > 0 && half[1].step < 1000);
    const first = readFileSync(join(out, "steps-20", "run.json"));

    const resumed = await splatbook(["sweep", "--resume", out]);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.ok(readFileSync(join(out, "steps-20", "run.json")).equals(first), "what is done is not trained again");
    assert.deepEqual(
      tableOf(out).rows.map(({ status, step }) => [status, step]),
      [20, 1000, 30].map((steps) => ["done", steps]),
    );
    const alone = join(folder, "alone");
    await splatbook(["fit", ...job, "--steps", "1000", "--out", alone]);
    const parameters = (run: string) => readFileSync(join(run, "parameters.arrow"));
    assert.ok(parameters(join(out, "steps-1000")).equals(parameters(alone)), "as if it had never been stopped");

    const thirty = readFileSync(join(out, "steps-30", "run.json"));
    const more = await splatbook(["sweep", ...job, "--vary", "steps=30,40", "--out", out]);
    assert.match(more.stdout, /: 2 of 2 runs; /);
    assert.ok(readFileSync(join(out, "steps-30", "run.json")).equals(thirty), "only the new run is trained");
  });

  it("trains in full what an earlier version stopped by successive halving", async () => {
    const out = join(folder, "halved");
    await splatbook(["sweep", imagePath, ...small, "--vary", "seed=1,2", "--out", out]);
    const file = join(out, "sweep.json");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), halving: 3 }));
    rmSync(join(out, "seed-2"), { recursive: true });
    const { code, stderr } = await splatbook(["sweep", "--resume", out]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      tableOf(out).rows.map(({ status, step }) => [status, step]),
      [
        ["done", 6],
        ["done", 6],
      ],
    );
  });

  it("takes its settings from JSON, which options override, and names runs that can be published", async () => {
    const file = join(folder, "page.json");
    const config = { pipeline: "cpu", blobs: 12, steps: 50 };
    const vary = { learningRate: [0.01, 0.025], tile: ["8x4"], seed: [-1] };
    writeFileSync(file, JSON.stringify({ config, vary, longest: 12 }));
    const names = ["learningRate-0p01_tile-8x4_seed--1", "learningRate-0p025_tile-8x4_seed--1"];
    for (const [steps, args] of [
      [50, []],
      [3, ["--steps", "3"]],
    ] as const) {
      const out = join(folder, `described${steps}`);
      const given = [imagePath, "--config", file, ...args, "--out", out, "--json"];
      const { code, stdout, stderr } = await splatbook(["sweep", ...given]);
      assert.equal(code, 0, stderr);
      const { image, rows } = tableOf(out);
      assert.deepEqual(image, { name: "small.png", width: 12, height: 8 });
      assert.deepEqual(
        rows.map(({ step, run }) => [step, run]),
        names.map((name) => [steps, name]),
      );
      const printed = JSON.parse(stdout);
      assert.deepEqual([printed.out, printed.runs.length, printed.runs[1].psnr], [out, 2, rows[1].psnr]);
    }
  });

  it("can be reported as one file, with a chart, a ranking and the report of the best run", async () => {
    const file = join(folder, "sweep.html");
    const { code, stderr } = await splatbook(["report", whole, "--out", file]);
    assert.equal(code, 0, stderr);
    const document = documentIn(file);
    const { rows } = tableOf(whole);
    const psnrs = [1, 3].map((i) => rows[i].psnr.toFixed(2));
    const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
    assert.deepEqual(texts('header [aria-label="text"] text'), ["refused", psnrs[0], "refused", psnrs[1]]);
    assert.deepEqual(texts("header tbody td:nth-child(3)"), [psnrs[1], psnrs[0], "–", "–"]);
    const best = document.querySelector<HTMLAnchorElement>("header p a")!.hash;
    assert.equal(document.querySelector(`${best} h1`)?.textContent, "learningRate 0.1, parameterization direct");
    const both = await refusalOf(["report", whole, join(whole, rows[1].run)], makeProgram());
    assert.deepEqual(both, ["A report has one sweep, or runs. Give the sweep alone.", 2]);
  });

  it("rejects a folder with something else, and leaves it unchanged", async () => {
    const held = readFileSync(join(whole, "sweep.json"));
    const sentence = "contains a sweep with another config. Choose another folder with --out.";
    assert.deepEqual(await refusalOf([imagePath, ...small, ...vary, "--out", whole]), [`${whole} ${sentence}`, 1]);
    assert.ok(readFileSync(join(whole, "sweep.json")).equals(held));

    const out = join(folder, "foreign");
    mkdirSync(out);
    const sweep = [imagePath, ...small, "--vary", "seed=1,2", "--out", out];
    writeFileSync(join(out, "target.png"), "not ours");
    const taken = `${out} already contains target.png. Choose another folder with --out.`;
    assert.deepEqual(await refusalOf(sweep), [taken, 1]);
    rmSync(join(out, "target.png"));
    const run = join(out, "seed-2");
    cpSync(join(whole, "learningRate-0p1_parameterization-direct"), run, { recursive: true });
    const why = "contains a run that is not part of this sweep. Choose another folder with --out.";
    assert.deepEqual(await refusalOf(sweep), [`${run} ${why}`, 1]);
    assert.deepEqual(readdirSync(out), ["seed-2"], "nothing was trained beside it");
  });

  it("trains a run again that was killed while it was written", async () => {
    const out = join(folder, "killed");
    mkdirSync(join(out, "seed-1", "film"), { recursive: true });
    // The description is written last.
    writeFileSync(join(out, "seed-1", "parameters.arrow"), "half");
    const sweep = ["sweep", imagePath, ...small, "--vary", "seed=1", "--out", out, "--quiet"];
    const { code, stderr } = await splatbook(sweep);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.deepEqual(
      tableOf(out).rows.map(({ status, step }) => [status, step]),
      [["done", 6]],
    );
    const files = readdirSync(join(whole, foldersOf(whole)[0])).sort();
    assert.deepEqual(readdirSync(join(out, "seed-1")).sort(), files);

    // The sweep was killed between two runs.
    const owner = `${2 ** 22 + 1}_1_${encodeURIComponent(hostname())}`;
    for (const path of [out, join(out, "seed-1")]) {
      mkdirSync(join(path, lockName));
      writeFileSync(join(path, lockName, owner), "");
    }
    const again = await splatbook(["sweep", "--resume", out, "--quiet"]);
    assert.deepEqual([again.code, again.stderr], [0, ""]);
    assert.deepEqual(readdirSync(join(out, "seed-1")).sort(), files);
  });

  it("trains the other runs if one cannot be trained or written, and reports both", async () => {
    const out = join(folder, "full");
    const vary = ["--vary", "blobs=1000000000,11,12"];
    // A folder has the name of a file of the run.
    mkdirSync(join(out, "blobs-11", "optimizer.arrow", "a"), { recursive: true });
    const sweep = ["sweep", imagePath, "--pipeline", "cpu", "--steps", "2", ...vary, "--out", out];
    const { code, stderr } = await splatbook(sweep);
    assert.equal(code, 1);
    assert.ok(stderr.endsWith(`1 of 3 runs failed. The reasons are in ${join(out, "sweep.arrow")}.\n`), stderr);
    assert.deepEqual(
      tableOf(out).rows.map(({ status, sentence }) => [
        status,
        sentence.replace(/^Nothing could be written to \S+: /, ""),
      ]),
      [
        ["refused", "blobs must be at most 2,000,000 on the CPU (got 1000000000)."],
        ["failed", "a folder has the name of the file."],
        ["done", ""],
      ],
    );
  });
});

it("splatbook sweep reports each error in one line", async () => {
  const broken = join(folder, "broken.json");
  writeFileSync(broken, '{"image": "small.png", "vary": {"blobs": [0]}}');
  const mistyped = join(folder, "mistyped.json");
  writeFileSync(mistyped, '{"image": "small.png", "vary": {"blobs": [4]}, "recordevery": 5}');
  const refusals: [args: string[], sentence: string, code: number][] = [
    [[imagePath], "sweep needs a setting to vary, such as --vary learning-rate=0.001,0.01.", 2],
    [[imagePath, "--vary", "blobs=1", "--vary", "blobs=2"], "--vary names blobs twice.", 2],
    [["--resume", whole, "--steps", "9"], "--steps cannot be given with --resume: the sweep keeps its settings.", 2],
    [
      [imagePath, "--config", mistyped],
      `The sweep in ${mistyped} cannot be used: each field must be one of image, name, config, vary, longest, recordEvery, recordGradientsEvery (got "recordevery").`,
      2,
    ],
    [
      ["sweep.json"],
      "sweep takes an image. Give the settings with --config, as in splatbook sweep photo.jpg --config sweep.json.",
      2,
    ],
    [["--resume", folder], `There is no file ${join(folder, "sweep.json")}.`, 1],
    [
      [imagePath, "--config", broken],
      `The sweep in ${broken} cannot be used: blobs must be a whole number of at least 1 (got 0).`,
      2,
    ],
  ];
  for (const [args, sentence, code] of refusals) assert.deepEqual(await refusalOf(args), [sentence, code]);
});
