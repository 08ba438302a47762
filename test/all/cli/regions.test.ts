import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { tableFromIPC } from "apache-arrow";
import sharp, { type Sharp } from "sharp";
import { describe, it, vi } from "vitest";
import { type AdapterLimits, checkBuffers } from "../../../src/engine/config.js";
import { cpuBackend } from "../../../src/engine/cpu/pipeline.js";
import { readRunDescription } from "../../../src/engine/files/runDescription.js";
import { decodeSplat2d } from "../../../src/engine/files/splat2d/splat2d.js";
import { hashImage } from "../../../src/engine/image/image.js";
import { psnr } from "../../../src/engine/image/metrics.js";
import { parameterCount } from "../../../src/engine/model/blobs.js";
import type { Backend } from "../../../src/engine/pipeline.js";
import { withCpuPipeline } from "../../../src/host/node/engine.js";
import { decodeImage } from "../../../src/host/node/imageFile.js";
import { imageSize, StagedImage } from "../../../src/host/node/stagedImage.js";
import { openBlobs, renderSource } from "../../../src/runs/blobSource.js";
import { Engines } from "../../../src/runs/engines.js";
import { RegionsRun } from "../../../src/runs/regions/regionsRun.js";
import { refusalOf, splatbook, temporaryFolder } from "../../cli/command.js";
import { diverging } from "../../support/diverging.js";
import { pngChunk } from "../../support/pngChunk.js";

const folder = temporaryFolder();
const imagePath = join(folder, "large.png");
await sharp("data/images/chelsea.png").resize(130, 64, { fit: "cover" }).png().toFile(imagePath);
const asked = ["--preset", "quality", "--pipeline", "cpu", "--blobs", "60", "--steps", "24", "--region-size", "65"];

const run = join(folder, "run");
const fitted = await splatbook(["fit", imagePath, ...asked, "--out", run]);
const cpuEngine = { backend: cpuBackend, adaptConfig: withCpuPipeline, isSoftware: false, close() {} };
const withEngine = (engine: object) =>
  vi.spyOn(Engines.prototype, "engineFor").mockResolvedValue({ ...cpuEngine, ...engine });

const bytesOf = (name: string, of = run) => readFileSync(join(of, name));
const describeRun = (of = run) => readRunDescription(bytesOf("run.json", of).toString("utf8"));

function areSame(folder: string): void {
  assert.deepEqual(readdirSync(folder).sort(), readdirSync(run).sort());
  for (const name of ["parameters.arrow", "blobs.splat2d", "render.png"]) {
    assert.ok(bytesOf(name, folder).equals(bytesOf(name)), `${name} has the same bits`);
  }
}

describe("splatbook fit --region-size", () => {
  it("writes one run with the blobs and metrics of all regions, and prints the job and the result", async () => {
    assert.equal(fitted.code, 0, fitted.stderr);
    assert.deepEqual(readdirSync(run).sort(), [
      "blobs.splat2d",
      "metrics.arrow",
      "parameters.arrow",
      "render.png",
      "run.json",
      "target.png",
    ]);
    const { regions, config, step, result } = describeRun();
    assert.deepEqual(
      regions?.list.map(({ x, y, width, height }) => [x, y, width, height]),
      [
        [0, 0, 65, 64],
        [65, 0, 65, 64],
      ],
    );
    assert.deepEqual([regions?.windows, regions?.done, step], [1, 3, 24]);
    assert.equal(
      tableFromIPC(bytesOf("parameters.arrow")).numRows,
      regions?.list.reduce((sum, { blobs }) => sum + blobs, 0),
    );
    const metrics = tableFromIPC(bytesOf("metrics.arrow"));
    assert.deepEqual([...new Set(metrics.getChild("region"))], [0, 1]);
    assert.ok(Math.abs(config.blobs / 60 - 1) < 0.2, `${config.blobs} blobs`);
    assert.match(fitted.stdout, /^\S+run: \d+ blobs in 2 regions, 24 steps each in \d+ s, PSNR /);
    assert.equal(decodeSplat2d(bytesOf("blobs.splat2d")).size.width, 130);
    const target = await decodeImage(imagePath);
    const drawn = await renderSource(await openBlobs(run), target);
    assert.ok(Math.abs(psnr(drawn, target) - result.psnr) < 1e-3, "the PSNR is that of the blobs in the file");
    assert.equal(describeRun().image.hash, await hashImage(target));
    const words = "130×64 pixels in 2 regions, 60 blobs, 24 steps each";
    const pattern = new RegExp(`^Reading 130×64 pixels\nTraining on CPU, \\d+ workers?: ${words}\n`);
    assert.match(fitted.stderr, pattern);
  });

  for (const [where, at, done] of [
    ["the second region", 34, 1],
    ["a seam", 70, 2],
  ] as const) {
    it(`keeps what was done before ${where} when Ctrl-C stops it, and resumes to the same bits`, async () => {
      const stopped = join(folder, `stopped-${at}`);
      const own = RegionsRun.prototype.learn;
      const learns = vi.spyOn(RegionsRun.prototype, "learn").mockImplementation(function (
        this: RegionsRun,
        onSnapshot,
      ) {
        const controller = new AbortController();
        const stopping: typeof onSnapshot = (snapshot) => {
          if (snapshot.step >= at) controller.abort();
          onSnapshot(snapshot);
        };
        return own.call(this, stopping, controller.signal);
      });
      const args = ["fit", imagePath, ...asked, "--record-every", "1"];
      const first = await splatbook([...args, "--out", stopped]).finally(() => learns.mockRestore());
      const { regions, files } = describeRun(stopped);
      assert.deepEqual([first.code, regions?.done], [130, done]);
      const progress = `${done} of 3 regions and seams done`;
      assert.equal(
        first.stderr.split("\n").at(-2),
        `Stopped with ${progress}. Resume with: splatbook fit IMAGE --resume ${stopped}`,
      );
      const early = await refusalOf(["render", stopped, "--out", join(folder, "early.png")]);
      assert.match(early.sentence, /has not ended: \d of its 3 regions and seams are done; continue with --resume\.$/);
      // A command with workers leaves their results here.
      mkdirSync(join(stopped, ".splatbook-farm", "parts", "a"), { recursive: true });
      const verified = await splatbook(["verify", stopped]);
      const known = `the SHA-256 of ${Object.keys(files!).length} files matches run.json`;
      assert.equal(verified.stdout, `${stopped}: complete so far, ${progress}, continue with --resume, ${known}\n`);
      const { finish } = RegionsRun.prototype;
      vi.spyOn(RegionsRun.prototype, "finish").mockImplementationOnce(function (this: RegionsRun) {
        return finish.call(this, AbortSignal.abort());
      });
      const seen: number[] = [];
      vi.spyOn(RegionsRun.prototype, "learn").mockImplementation(function (this: RegionsRun, _, signal) {
        return own.call(this, ({ step }) => void seen.push(step), signal);
      });
      const learned = await splatbook(["fit", imagePath, "--resume", stopped]).finally(() => vi.restoreAllMocks());
      assert.ok(seen[0] > 24 * done, `it went on at step ${seen[0]}`);
      assert.match(learned.stderr, /Stopped with 3 of 3 regions and seams done\. Resume with: /);
      const rest = await splatbook(["fit", imagePath, "--resume", stopped]);
      assert.equal(rest.code, 0, rest.stderr);
      areSame(stopped);
      const steps = (of: string) => [...tableFromIPC(bytesOf("metrics.arrow", of)).getChild("step")!];
      assert.equal(steps(stopped).length, 48, "every step of both regions is recorded once");
    });
  }

  it("alerts that regions diverge: on stderr, in run.json, and by the exit code", async () => {
    const out = join(folder, "diverged");
    const args = ["--learning-rate", "10", "--steps", "60", "--record-every", "2", "--alert-after", "10"];
    const { code, stderr } = await splatbook(["fit", imagePath, ...asked, ...args, "--out", out]);
    assert.equal(code, 3, stderr);
    const { alerts = [], step } = describeRun(out);
    assert.equal(step, 60, "training continues");
    assert.ok(alerts.length > 0);
    for (const { kind, sentence, part, step } of alerts) {
      const name = part! < 2 ? `Region ${part! + 1}` : "Seam 1";
      assert.equal(kind, "diverged");
      assert.match(sentence, new RegExp(`^${name} diverged: the training PSNR is .* dB at step ${step}, after .* dB`));
      assert.ok(stderr.includes(`\n${sentence}\n`), stderr);
    }
  });

  it.each([
    ["loss", "the loss"],
    ["parameters", /logit_opacity of blob \d+/.source],
  ] as const)("stops at a NaN in the %s of a region, keeps the others, and resumes", async (part, what) => {
    let opened = 0;
    const open: Backend["open"] = async (...job) => {
      const pipeline = await cpuBackend.open(...job);
      return ++opened === 2 ? diverging(pipeline, part, 9) : pipeline;
    };
    const of = withEngine({ backend: { ...cpuBackend, open } });
    const out = join(folder, `nan-${part}`);
    const refusal = await refusalOf(["fit", imagePath, ...asked, "--out", out]).finally(() => of.mockRestore());
    const { alerts = [], regions } = describeRun(out);
    const [{ sentence }] = alerts;
    assert.match(sentence, new RegExp(`^Region 2 diverged: ${what} is NaN at step 9\\.$`));
    assert.deepEqual(refusal, { code: 3, sentence: `${sentence} Try a lower --learning-rate.` });
    assert.deepEqual(alerts, [{ kind: "diverged", step: 9, loss: null, sentence, part: 1 }]);
    assert.equal(regions?.done, 1);
    assert.equal((await splatbook(["verify", out])).code, 0);
    const resumed = await splatbook(["fit", imagePath, "--resume", out]);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.equal(describeRun(out).alerts, undefined);
    assert.ok(bytesOf("parameters.arrow", out).equals(bytesOf("parameters.arrow")), "the same bits");
  });

  const refused: [what: string, args: string[], sentence: string | RegExp][] = [
    [
      "blobs with the parameterization normalized",
      [imagePath, "--regions"],
      /^--parameterization must be direct for --regions, as in --preset quality \(got "smoothstep"\)\.$/,
    ],
    [
      "a goal",
      [imagePath, "--preset", "quality", "--regions", "--psnr", "30"],
      /^--psnr cannot be combined with --regions\.$/,
    ],
    [
      "a region that would be all halo",
      [imagePath, "--preset", "quality", "--region-size", "8"],
      "--region-size must be at least 64 pixels (got 8).",
    ],
    ["checkpoints", [imagePath, ...asked, "--checkpoint", "1"], "--checkpoint cannot be combined with --regions."],
    [
      "a file that is not an image",
      [join(folder, "nothing.png"), "--preset", "quality", "--regions"],
      /^There is no file /,
    ],
  ];
  for (const [what, args, sentence] of refused) {
    it(`refuses ${what} in one sentence`, async () => {
      const actual = (await refusalOf(["fit", ...args, "--out", join(folder, "refused")])).sentence;
      if (typeof sentence === "string") assert.equal(actual, sentence);
      else assert.match(actual, sentence);
      assert.ok(!existsSync(join(folder, "refused")));
    });
  }

  const goingOn: [args: string[], sentence: RegExp][] = [
    [[], /does not contain its image, so give the image too: splatbook fit IMAGE --resume \S+$/],
    [[imagePath], /run has ended\. A run in regions cannot be given more steps\.$/],
    [[imagePath, "--steps", "40"], /^--steps cannot be given with --resume: the run keeps its settings\.$/],
  ];
  for (const [args, sentence] of goingOn) {
    it(`does not resume ${args.join(" ") || "no image"}`, async () => {
      assert.match((await refusalOf(["fit", ...args, "--resume", run])).sentence, sentence);
    });
  }

  it("records the GPU of workers if the command has none, and keeps requesting it", async () => {
    const of = withEngine({ fallback: "There is no GPU." });
    const by = { host: "another", adapter: "A GPU", versions: {} };
    const learn = async (run: RegionsRun) =>
      run.addResult({ parameters: new Float32Array(parameterCount), rows: [], seconds: 1 }, undefined, by);
    vi.doMock("../../../src/farm/farmRegions.js", () => ({ learnOnWorkers: learn }));
    const out = join(folder, "elsewhere");
    const onGpu = asked.with(asked.indexOf("cpu"), "tiled");
    await splatbook(["fit", imagePath, ...onGpu, "--out", out, "--workers", "1"]);
    vi.doUnmock("../../../src/farm/farmRegions.js");
    of.mockRestore();
    const { config, adapter, host, fallback: cause } = describeRun(out);
    assert.deepEqual([config.pipeline, adapter, host, cause], ["tiled", "A GPU", "another", undefined]);
  });

  it("does not resume with another image", async () => {
    const begun = join(folder, "begun");
    cpSync(run, begun, { recursive: true });
    const description = { ...describeRun(), step: 0 };
    writeFileSync(join(begun, "run.json"), JSON.stringify(description));
    const other = join(folder, "other.png");
    await sharp(imagePath).negate().png().toFile(other);
    const { sentence } = await refusalOf(["fit", other, "--resume", begun]);
    assert.match(sentence, /other\.png is not the image of \S+begun\.$/);
  });

  it("is the default for an image with more pixels than are read at once", async () => {
    const path = join(folder, "giga.png");
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    png.writeUInt32BE(16384, 16);
    png.writeUInt32BE(12352, 20);
    writeFileSync(path, png);
    const whole = await refusalOf(["fit", path, "--out", join(folder, "giga")]);
    assert.match(whole.sentence, /must be direct for --regions/);
  });

  it("is the fallback for an image that the engine cannot hold, with the reason", async () => {
    const path = join(folder, "wide.png");
    await sharp(imagePath).resize(2100, 40, { fit: "fill" }).png().toFile(path);
    const limits = { maxBufferSize: 16 * 60_000, maxStorageBufferBindingSize: 2 ** 27 } as AdapterLimits;
    const small: Backend = { ...cpuBackend, check: (config, image) => checkBuffers(config, image, limits) };
    const of = withEngine({ backend: small });
    const out = join(folder, "wide");
    const few = ["--preset", "quality", "--blobs", "30", "--steps", "2"];
    const { code, stderr } = await splatbook(["fit", path, ...few, "--out", out]);
    of.mockRestore();
    assert.equal(code, 0, stderr);
    const why = 'The image must be at most 60,000 pixels on this adapter, such as 244x244 (got "2100x40").';
    assert.equal(stderr.split("\n")[0], `${why} Fitting it in regions instead.`);
    assert.equal(describeRun(out).regions?.list.length, 2);
    assert.equal((await splatbook(["verify", out])).code, 0);
  });
});

describe("splatbook render --crop", () => {
  const part = join(folder, "part.png");

  it("draws the same pixels as the whole image", async () => {
    const whole = join(folder, "whole.png");
    await splatbook(["render", run, "--out", whole]);
    const { code, stdout } = await splatbook(["render", run, "--crop", "50,10,40x30", "--out", part, "--force"]);
    assert.deepEqual([code, stdout], [0, `${part}: 40x30 pixels\n`]);
    const expected = await sharp(whole).extract({ left: 50, top: 10, width: 40, height: 30 }).raw().toBuffer();
    const drawn = await sharp(part).raw().toBuffer();
    assert.ok(drawn.every((value, i) => Math.abs(value - expected[i]) <= 1));
    await splatbook([
      "render",
      join(run, "blobs.splat2d"),
      "--crop",
      "0,0,9x7",
      "--size",
      "90x70",
      "--out",
      part,
      "--force",
    ]);
    assert.equal((await sharp(part).metadata()).width, 90);
  });

  const refused: [crop: string, sentence: string][] = [
    ["100,0,40x30", '--crop must be within the 130x64 pixels of the image (got "100,0,40x30").'],
    ["1,2", '--crop must be left, top, width and height in whole pixels, such as 100,50,640x480 (got "1,2").'],
  ];
  for (const [crop, sentence] of refused) {
    it(`refuses ${crop}`, async () => {
      assert.equal(
        (await refusalOf(["render", run, "--crop", crop, "--out", join(folder, "no.png")])).sentence,
        sentence,
      );
    });
  }
});

describe("other commands and a run in regions", () => {
  it("verify reports a complete run, and commands that need missing files report them", async () => {
    assert.equal((await splatbook(["verify", run])).code, 0);
    const gradients = await refusalOf(["gradients", run]);
    assert.match(gradients.sentence, /it was fitted in regions, which keep no [a-z ]+\.$/);
    const report = await refusalOf(["report", run, "--out", join(folder, "no.html")]);
    assert.match(report.sentence, /it was fitted in regions, which have no report; splatbook render /);
  });
});

describe("StagedImage", () => {
  const kinds: [name: string, make: (image: Sharp) => Sharp][] = [
    ["a transparent PNG", (image) => image.ensureAlpha(0.4).png()],
    ["a PNG of 16 bits", (image) => image.toColourspace("rgb16").png()],
    ["a rotated JPEG", (image) => image.withMetadata({ orientation: 6 }).jpeg()],
    ["a grey PNG", (image) => image.greyscale().png()],
    ["a PNG of Display P3", (image) => image.withIccProfile("p3").png()],
  ];
  for (const [what, make] of kinds) {
    it(`has the pixels of ${what}, and its hash`, async () => {
      const path = join(folder, `kind-${kinds.findIndex(([other]) => other === what)}`);
      await make(sharp(imagePath)).toFile(path);
      const image = await decodeImage(path);
      const staged = await StagedImage.open(path, join(folder, "staged.v"));
      try {
        assert.deepEqual(await imageSize(path), { width: image.width, height: image.height });
        const rect = { x: 7, y: 11, width: 30, height: 20 };
        const { data } = await staged.crop(rect);
        for (let y = 0; y < rect.height; y++) {
          const start = 4 * ((rect.y + y) * image.width + rect.x);
          assert.deepEqual(data.subarray(120 * y, 120 * (y + 1)), image.data.subarray(start, start + 120));
        }
        assert.equal(await staged.hash(), await hashImage(image));
      } finally {
        await staged.close();
      }
    });
  }

  it("is rejected before anything is written if its disk has too little space", async () => {
    const staged = join(folder, "room.v");
    const statfs = vi
      .spyOn(fs, "statfs")
      .mockResolvedValue({ bavail: 9, bsize: 4096 } as Awaited<ReturnType<typeof fs.statfs>>);
    try {
      await assert.rejects(StagedImage.open(imagePath, staged), {
        message: `${imagePath} has 130x64 pixels, which need 0.0 GB of disk space during training, but ${folder} has only 0.0 GB. Free some space, or choose a folder on another disk.`,
      });
    } finally {
      statfs.mockRestore();
    }
    assert.ok(!existsSync(staged));
  });

  it("stops while a large image is read after Ctrl-C, and leaves nothing", async () => {
    const path = join(folder, "black.png");
    // One bit per pixel in the file, four bytes per pixel on the disk.
    const header = Buffer.alloc(13);
    for (const at of [0, 4]) header.writeUInt32BE(16_000, at);
    header[8] = 1;
    const rows = deflateSync(Buffer.alloc(16_000 * 2001));
    const chunks = [pngChunk("IHDR", header), pngChunk("IDAT", rows), pngChunk("IEND", new Uint8Array())];
    writeFileSync(path, Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks]));
    const out = join(folder, "given-up");
    const watching = setInterval(() => {
      const staged = join(out, ".splatbook-next-image", "image.v");
      if (!existsSync(staged) || statSync(staged).size === 0) return;
      clearInterval(watching);
      process.emit("SIGINT");
    }, 1);
    const { sentence } = await refusalOf(["fit", path, ...asked, "--out", out]);
    clearInterval(watching);
    assert.equal(sentence, "Stopped while the image was read. Nothing was saved.");
    assert.ok(!existsSync(out));
  });

  it("rejects a truncated image", async () => {
    const path = join(folder, "cut.png");
    writeFileSync(path, (await sharp("data/images/chelsea.png").png().toBuffer()).subarray(0, 20_000));
    await assert.rejects(StagedImage.open(path, join(folder, "cut.v")), {
      message: new RegExp(`^${path} is damaged or truncated, or of a kind that is not supported: .+\\.$`),
    });
  });
});
