import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import sharp from "sharp";
import { describe, it } from "vitest";
import { hashImage } from "../../../src/engine/image/image.js";
import { reduceImage } from "../../../src/engine/image/reduce.js";
import { decodeImage } from "../../../src/host/node/imageFile.js";
import { refusalOf, smallImage, splatbook, temporaryFolder } from "../../cli/command.js";

const folder = temporaryFolder();
const image = join(folder, "photo.png");
await sharp("data/images/chelsea.png").resize(130, 64, { fit: "cover" }).png().toFile(image);
const quick = ["--pipeline", "cpu", "--blobs", "12", "--steps", "6"];
const reduced = reduceImage(await decodeImage(image), 40);

const describeRun = (run: string) => JSON.parse(readFileSync(join(run, "run.json"), "utf8"));

describe("splatbook fit --longest", () => {
  const run = join(folder, "run");
  const fitted = splatbook(["fit", image, "--longest", "40", ...quick, "--out", run]);

  it("trains the reduced image, and records its size and hash", async () => {
    const { code, stderr } = await fitted;
    assert.equal(code, 0, stderr);
    assert.deepEqual(describeRun(run).image, {
      name: "photo.png",
      width: 40,
      height: 20,
      hash: await hashImage(reduced),
    });
    assert.deepEqual(await decodeImage(join(run, "target.png")), reduced);
  });

  it("never enlarges an image", async () => {
    const out = join(folder, "large");
    const { code, stderr } = await splatbook(["fit", image, "--longest", "1000", ...quick, "--out", out]);
    assert.equal(code, 0, stderr);
    assert.equal(describeRun(out).image.hash, await hashImage(await decodeImage(image)));
  });

  it("keeps a run that is resumed with the original image, and with no other", async () => {
    await fitted;
    const out = join(folder, "resumed");
    const { code, stderr } = await splatbook(["fit", image, "--resume", run, "--steps", "8", "--out", out]);
    assert.equal(code, 0, stderr);
    assert.deepEqual([describeRun(out).step, describeRun(out).image], [8, describeRun(run).image]);
    const other = await smallImage(folder, 130, 64);
    const { sentence } = await refusalOf(["fit", other, "--resume", run, "--steps", "8"]);
    assert.equal(sentence, `${other} is not the image of ${run}.`);
  });

  it("cannot change the image of a resumed run", async () => {
    await fitted;
    const { code, sentence } = await refusalOf(["fit", "--resume", run, "--steps", "8", "--longest", "20"]);
    assert.deepEqual([code, sentence], [2, "--longest cannot be given with --resume: the run keeps its image."]);
  });

  for (const value of ["0", "1.5", "-3", "many"]) {
    it(`must be a whole number of at least 1, which ${value} is not`, async () => {
      const { code, sentence } = await refusalOf(["fit", image, "--longest", value]);
      const shown = value === "many" ? '"many"' : value;
      const expected = `--longest must be a whole number between 1 and 1,000,000,000 (got ${shown}).`;
      assert.deepEqual([code, sentence], [2, expected]);
    });
  }

  it("reduces an image before it is fitted in regions, and the original image resumes them", async () => {
    const out = join(folder, "regions");
    const regions = ["--preset", "quality", "--region-size", "65", "--longest", "100"];
    const watching = setInterval(() => {
      if (!existsSync(join(out, "run.json"))) return;
      clearInterval(watching);
      process.emit("SIGINT");
    }, 1);
    const stopped = await splatbook([
      "fit",
      image,
      "--pipeline",
      "cpu",
      "--blobs",
      "60",
      "--steps",
      "24",
      ...regions,
      "--out",
      out,
    ]);
    clearInterval(watching);
    assert.equal(stopped.code, 130, stopped.stderr);
    const { image: recorded, regions: plan } = describeRun(out);
    const hash = await hashImage(reduceImage(await decodeImage(image), 100));
    assert.deepEqual([recorded.width, recorded.height, recorded.hash, plan.list.length], [100, 49, hash, 2]);
    const resumed = await splatbook(["fit", image, "--resume", out]);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.deepEqual([describeRun(out).step, describeRun(out).image], [24, recorded]);
  });

  it("reads an image with more pixels than fit into memory", async () => {
    const path = join(folder, "huge.png");
    const plain = { width: 16400, height: 4100, channels: 3 as const, background: "#204060" };
    await sharp({ create: plain }).png({ compressionLevel: 1 }).toFile(path);
    const out = join(folder, "huge");
    const { code, stderr } = await splatbook(["fit", path, "--longest", "64", ...quick, "--out", out]);
    assert.equal(code, 0, stderr);
    const { name, width, height } = describeRun(out).image;
    assert.deepEqual([name, width, height], [basename(path), 64, 16]);
    const { data } = await decodeImage(join(out, "target.png"));
    assert.ok(data.every((value, i) => value === [0x20, 0x40, 0x60, 255][i % 4]));
  });
});
