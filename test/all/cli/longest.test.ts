import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, it } from "vitest";
import { hashImage } from "../../../src/engine/image/image.js";
import { reduceImage } from "../../../src/engine/image/reduce.js";
import { decodeImage } from "../../../src/host/node/imageFile.js";
import { refusalOf, smallImage, splatbook, temporaryFolder } from "../../cli/command.js";

const folder = temporaryFolder();
const image = join(folder, "photo.png");
await sharp("data/images/chelsea.png").resize(130, 64, { fit: "cover" }).png().toFile(image);
const describeRun = (run: string) => JSON.parse(readFileSync(join(run, "run.json"), "utf8"));

async function fit(out: string, path: string, longest: number): Promise<string> {
  const run = join(folder, out);
  const quick = ["--pipeline", "cpu", "--blobs", "12", "--steps", "6"];
  const { code, stderr } = await splatbook(["fit", path, "--longest", `${longest}`, ...quick, "--out", run]);
  assert.equal(code, 0, stderr);
  return run;
}

describe("splatbook fit --longest", () => {
  it("trains the reduced image, which the original image resumes, and no other", async () => {
    const run = await fit("run", image, 40);
    const reduced = reduceImage(await decodeImage(image), 40);
    const recorded = { name: "photo.png", width: 40, height: 20, hash: await hashImage(reduced) };
    assert.deepEqual(describeRun(run).image, recorded);
    assert.deepEqual(await decodeImage(join(run, "target.png")), reduced);
    const out = join(folder, "resumed");
    const { code, stderr } = await splatbook(["fit", image, "--resume", run, "--steps", "8", "--out", out]);
    assert.equal(code, 0, stderr);
    assert.deepEqual([describeRun(out).step, describeRun(out).image], [8, recorded]);
    const other = await smallImage(folder, 130, 64);
    const { sentence } = await refusalOf(["fit", other, "--resume", run, "--steps", "8"]);
    assert.equal(sentence, `${other} is not the image of ${run}.`);
    const changed = await refusalOf(["fit", "--resume", run, "--steps", "8", "--longest", "20"]);
    assert.equal(changed.sentence, "--longest cannot be given with --resume: the run keeps its image.");
  });

  it("never enlarges an image", async () => {
    const { hash } = describeRun(await fit("large", image, 1000)).image;
    assert.equal(hash, await hashImage(await decodeImage(image)));
  });

  it("reads an image with more pixels than fit into memory", async () => {
    const path = join(folder, "huge.png");
    const grey = { raw: { width: 16400, height: 4100, channels: 1 as const } };
    await sharp(Buffer.alloc(16400 * 4100, 0x60), grey)
      .png({ compressionLevel: 1 })
      .toFile(path);
    const { width, height, data } = await decodeImage(join(await fit("huge", path, 64), "target.png"));
    assert.deepEqual([width, height], [64, 16]);
    assert.ok(data.every((value, i) => value === (i % 4 === 3 ? 255 : 0x60)));
  });
});
