import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { fields } from "../../src/engine/fields.js";
import { refusalOf, smallImage, splatbook, splatbookProcess, temporaryFolder } from "./command.js";

const folder = temporaryFolder();
const imagePath = await smallImage(folder);
const [folderPath, textPath, emptyPath] = ["folder", "text.png", "empty.png"].map((name) => join(folder, name));
mkdirSync(folderPath);
writeFileSync(textPath, "no image");
writeFileSync(emptyPath, "");
const wrongConfigPath = join(folder, "wrong.json");
writeFileSync(wrongConfigPath, '{"blobs": 0}');

const fit = (...flags: string[]) => ["fit", imagePath, ...flags];

/** The arguments, the sentence, and the exit code. */
const refusals: [args: string[], sentence: string, code: number][] = [
  [
    [],
    "A command is missing: splatbook fit, splatbook sweep, splatbook view, splatbook worker, splatbook gradients, splatbook render, splatbook export, splatbook report, splatbook verify, splatbook bench or splatbook help. For help, run splatbook --help.",
    2,
  ],
  [["fti"], "Unknown command 'fti' (did you mean fit?).", 2],
  [["fit"], "fit needs an image, such as splatbook fit data/images/astronaut.png.", 2],
  [["sweep", "a.png", "b.png"], "Too many arguments for 'sweep': expected 1 argument but got 2.", 2],
  [["gradients"], "Missing required argument 'run'.", 2],
  [fit("--json", "--json-lines"), "Option '--json-lines' cannot be used with option '--json'.", 2],
  [fit("--config", textPath), `${textPath} is not JSON.`, 2],
  [
    fit("--config", wrongConfigPath),
    `The config in ${wrongConfigPath} cannot be used: blobs must be a whole number of at least 1 (got 0).`,
    2,
  ],
  [
    fit("--config", wrongConfigPath, "--resume", "a"),
    "--config cannot be given with --resume: the run keeps its settings, except --steps, --record-every, --record-gradients-every and --out.",
    2,
  ],
  [
    ["fit", "-", "--regions", "--preset", "quality"],
    "An image from stdin cannot be fitted in regions. Save it as a file.",
    2,
  ],
  [fit("--blbs", "4"), "Unknown option '--blbs' (did you mean --blobs?).", 2],
  [fit("--blobs"), "Option '--blobs <n>' argument missing.", 2],
  [fit("--blobs", "-5"), "--blobs must be a whole number of at least 1 (got -5).", 2],
  [fit("--blobs", "many"), '--blobs must be a whole number of at least 1 (got "many").', 2],
  [fit("--blobs", "0x10"), '--blobs must be a whole number of at least 1 (got "0x10").', 2],
  [fit("--seconds", " 5"), '--seconds must be a number above 0 (got " 5").', 2],
  [
    fit("--blobs", "1000000000", "--pipeline", "cpu"),
    "--blobs must be at most 2,000,000 on the CPU (got 1000000000).",
    2,
  ],
  [fit("--tile", "8"), '--tile must be a width and a height in whole pixels, such as 8x4 (got "8").', 2],
  [
    fit("--background", "whit"),
    '--background must be one of original, white, black (got "whit"; did you mean white?).',
    2,
  ],
  [fit("--record-every", "0"), "--record-every must be a whole number between 1 and 1,000,000,000 (got 0).", 2],
  [fit("--out", ""), '--out must be a path (got "").', 2],
  [fit("--out", textPath), `${textPath} is a file, so nothing can be written into it.`, 1],
  [["fit", "nowhere.png"], "There is no file nowhere.png.", 1],
  [["fit", folderPath], `${folderPath} is a folder, not an image.`, 1],
  [["fit", textPath], `${textPath} is not an image in a supported format. Use PNG, JPEG or WebP.`, 1],
  [["fit", emptyPath], `${emptyPath} is empty.`, 1],
  [["fit", "--resume", join(folder, "none")], `There is no run ${join(folder, "none")}.`, 1],
  [["fit", "--resume", textPath], `${textPath} is a file, not the folder of a run.`, 1],
  [
    ["render", folderPath, "--out", "x.jpg"],
    '--out must be a file name that ends in .png, or - for stdout (got "x.jpg").',
    2,
  ],
  [
    ["render", folderPath, "--out", "x.png", "--size", "9"],
    '--size must be a width and a height in whole pixels, such as 640x480 (got "9").',
    2,
  ],
  [["render", folderPath, "--out", "x.png"], `The run ${folderPath} cannot be used: it has no run.json.`, 1],
  [["render", textPath, "--out", "x.png"], `${textPath} is not a .splat2d file.`, 1],
  [
    ["export", folderPath, "--out", "x.jpg"],
    '--out must be a file name that ends in .splat2d, or - for stdout (got "x.jpg").',
    2,
  ],
  [
    ["export", folderPath, "--out", "x.splat2d", "--precision", "0"],
    "--precision must be a number between 0.015625 and 64 (got 0).",
    2,
  ],
  [
    ["bench", imagePath, "--pipelines", "cpu,tield"],
    `--pipelines must be one of ${fields.pipeline.choices.join(", ")} (got "tield"; did you mean tiled?).`,
    2,
  ],
];

/** Removed commands, options and formats, and what their sentence names instead. */
const removed: [args: string[], alternative: RegExp][] = [
  [fit(imagePath), /for image in/],
  [fit("--open"), /splatbook view runs --open/],
  [["fit", "--resume", "a", "--resume-schedule", "hold"], /scaled to the end/],
  [["completion", "bash"], /splatbook help/],
  [fit("--alert-command", "cat"), /--json-lines/],
  [fit("--bits-per-pixel=1"), /export --precision/],
  [["sweep", imagePath, "--vary", "seed=1", "--halving"], /--steps/],
  [["sweep", "--status", "--redis", "redis://host"], /prints its progress/],
  [["verify", folderPath, "--retrain"], /--config RUN\/run\.json/],
  [["export", folderPath, "--out", "x.csv"], /read the Arrow files of the run/],
  [["export", folderPath, "--out", "x.png"], /render draws a \.png/],
  [["export", folderPath, "--out", "-", "--format", "png"], /render draws a \.png/],
  [
    ["sweep", imagePath, "--vary", "seed=1", "--workers", "1", "--redis", "redis://host"],
    /Start workers with splatbook worker/,
  ],
  [["worker", "--manifest", "slurm"], /The page Sweeps and many machines/],
  [["worker", "--redis", "redis://host", "--runs", "s3://bucket"], /a folder that all machines share/],
];

it("splatbook names what to use instead of removed commands, options and formats", async () => {
  for (const [args, alternative] of removed) {
    const { code, sentence } = await refusalOf(args);
    assert.equal(code, 2, sentence);
    assert.match(sentence, alternative);
  }
});

it("splatbook reports each error in one line, with its exit code", async () => {
  for (const [args, sentence, code] of refusals) assert.deepEqual(await refusalOf(args), { code, sentence });
});

describe("splatbook", () => {
  it("prints it to stderr only, and exits with its code", async () => {
    const expected = ([, sentence, code]: (typeof refusals)[number]) => ({ code, stdout: "", stderr: `${sentence}\n` });
    assert.deepEqual(await splatbookProcess(refusals[0][0]), expected(refusals[0]));
    const failed = refusals.findLast(([, , code]) => code === 1)!;
    assert.deepEqual(await splatbook(failed[0]), expected(failed));
  });

  it("prints its version", async () => {
    for (const flag of ["-V", "--version"]) {
      assert.deepEqual(await splatbook([flag]), { code: 0, stdout: "0.1.0\n", stderr: "" });
    }
  });

  it("shows examples in its help and in the help of its commands", async () => {
    for (const args of [["--help"], ["-h"], ["help"], ["fit", "--help"], ["fit", "-h"], ["help", "fit"]]) {
      const { code, stdout, stderr } = await splatbook(args);
      assert.equal(code, 0);
      assert.equal(stderr, "");
      assert.match(stdout, /Examples:\n {2}splatbook fit \S+ --preset quality\n/);
    }
  });
});
