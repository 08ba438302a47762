import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { completeConfig } from "../../../src/engine/config.js";
import { optimizerFile, parametersFile } from "../../../src/engine/files/arrow.js";
import { initialState } from "../../../src/engine/training/initialState.js";
import { refusalOf, smallImage, splatbook, temporaryFolder } from "../../cli/command.js";
import { testImage } from "../../support/scenes.js";

const folder = temporaryFolder();
const imagePath = await smallImage(folder);
const sound = join(folder, "sound");
await splatbook(["fit", imagePath, "--pipeline", "cpu", "--blobs", "3", "--steps", "2", "--out", sound]);
const config = completeConfig({ blobs: 3, steps: 2, pipeline: "cpu" });
const image = testImage(4, 4);

/** Edits run.json. */
function describeAs(run: string, change: (description: Record<string, unknown>) => void): void {
  const path = join(run, "run.json");
  const description = JSON.parse(readFileSync(path, "utf8"));
  change(description);
  writeFileSync(path, JSON.stringify(description));
}

// Without hashes, as in old runs, a damaged file is found only by reading it.
describeAs(sound, (description) => {
  delete description.files;
});

/** Ways to break a run, with the error of each. */
const damages: [name: string, damage: (run: string) => void, sentence: string][] = [
  ["without optimizer.arrow", (run) => rmSync(join(run, "optimizer.arrow")), "it has no optimizer.arrow."],
  [
    "with files of different steps",
    (run) =>
      writeFileSync(join(run, "optimizer.arrow"), optimizerFile(config, { ...initialState(config, image), step: 1 })),
    "optimizer.arrow is of step 1, run.json of 2.",
  ],
  [
    "with truncated parameters",
    (run) => truncateSync(join(run, "parameters.arrow"), 900),
    "parameters.arrow is not a complete Arrow file.",
  ],
  ["with a truncated run.json", (run) => truncateSync(join(run, "run.json"), 30), "run.json is not JSON."],
  [
    "of another version",
    (run) =>
      describeAs(run, (description) => {
        description.version = 7;
      }),
    "run.json must be of a format version between 1 and 2 (got 7).",
  ],
  [
    "with a byte of its metrics that makes a reader loop forever",
    (run) => {
      const bytes = readFileSync(join(run, "metrics.arrow"));
      const root = 16 + bytes.readUInt32LE(16);
      const slots = root - bytes.readInt32LE(root);
      bytes.writeUInt8(1, root + bytes.readUInt16LE(slots + 6));
      writeFileSync(join(run, "metrics.arrow"), bytes);
    },
    "metrics.arrow is a damaged Arrow file.",
  ],
  [
    "with different configs in its files",
    (run) =>
      describeAs(run, (description) => {
        description.config = { ...config, learningRate: 0.5 };
      }),
    "optimizer.arrow has another config than run.json.",
  ],
  [
    "with a parameter that is not a number",
    (run) => {
      const state = { ...initialState(config, image), step: 2 };
      state.parameters[5 * 3 + 1] = Number.NaN;
      writeFileSync(join(run, "parameters.arrow"), parametersFile(config, image, state));
    },
    "red of blob 1 in parameters.arrow must be finite (got NaN).",
  ],
  [
    "with another target",
    (run) => cpSync(join(run, "render.png"), join(run, "target.png")),
    "target.png is not the image that run.json describes.",
  ],
];

describe("splatbook fit --resume rejects a damaged run", () => {
  it("with a sentence for each damage", async () => {
    for (const [name, damage, sentence] of damages) {
      const run = join(folder, name);
      cpSync(sound, run, { recursive: true });
      damage(run);
      assert.deepEqual(await refusalOf(["fit", "--resume", run, "--steps", "4"]), {
        code: 1,
        sentence: `The run ${run} cannot be used: ${sentence}`,
      });
    }
  });

  it("with an option for its config", async () => {
    const { code, sentence } = await refusalOf(["fit", "--resume", sound, "--blobs", "9"]);
    assert.equal(code, 2);
    assert.match(
      sentence,
      /^--blobs cannot be given with --resume: the run keeps its settings, except --steps, [^.]*\.$/,
    );
  });
});
