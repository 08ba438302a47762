import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { decodeSplat2d } from "../../src/engine/files/splat2d/splat2d.js";
import { decodeImage } from "../../src/host/node/imageFile.js";
import { smallImage, splatbook, temporaryFolder } from "./command.js";

const folder = temporaryFolder();
const run = join(folder, "run");
const file = join(run, "blobs.splat2d");
const fit = ["fit", await smallImage(folder), "--pipeline", "cpu", "--blobs", "30", "--steps", "3", "--out", run];
await splatbook(fit);
const path = (name: string) => join(folder, name);

describe("splatbook export", () => {
  it("writes the run's .splat2d, and prints the same bytes, bits per pixel and PSNR as run.json", async () => {
    const out = path("same.splat2d");
    const { code, stdout, stderr } = await splatbook(["export", run, "--out", out, "--json"]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(readFileSync(out), readFileSync(file));
    const { result } = JSON.parse(readFileSync(join(run, "run.json"), "utf8"));
    assert.deepEqual(JSON.parse(stdout), { out, ...result.file });
  });

  it("writes a coarser .splat2d in fewer bytes, and prints them", async () => {
    const out = path("coarse.splat2d");
    const { stdout } = await splatbook(["export", run, "--out", out, "--precision", "0.25"]);
    const usual = path("usual.splat2d");
    await splatbook(["export", run, "--out", usual, "--precision", "1"]);
    const bytes = readFileSync(out);
    assert.ok(bytes.length < readFileSync(usual).length);
    assert.equal(decodeSplat2d(bytes).steps.center, 4 * decodeSplat2d(readFileSync(usual)).steps.center);
    const bits = ((8 * bytes.length) / (24 * 16)).toFixed(3);
    assert.ok(
      stdout.startsWith(`${out}: ${bytes.length.toLocaleString("en-US")} bytes, ${bits} bits per pixel, PSNR `),
      stdout,
    );
  });

  it("keeps colours near those of the run, as splatbook render draws them", async () => {
    const [ofFile, ofRun] = ["ofFile.png", "ofRun.png"].map(path);
    const size = ["--size", "30x16"];
    const { stdout } = await splatbook(["render", file, ...size, "--out", ofFile]);
    assert.equal(stdout, `${ofFile}: 30x16 pixels\n`);
    await splatbook(["render", run, ...size, "--out", ofRun]);
    const [read, original] = await Promise.all([decodeImage(ofFile), decodeImage(ofRun)]);
    const furthest = read.data.reduce((most, value, i) => Math.max(most, Math.abs(value - original.data[i])), 0);
    assert.ok(furthest > 0 && furthest < 32, `rounding changes a pixel by ${furthest} of 255`);
  });

  it("prints no control characters of a path", async () => {
    const { stdout } = await splatbook(["render", file, "--out", path("red\x1b[31m\x9b.png")]);
    assert.equal(stdout, `${path("red\ufffd[31m\ufffd.png")}: 24x16 pixels\n`);
  });

  it("rejects a truncated or damaged file with one sentence", async () => {
    const bytes = readFileSync(file);
    const [short, flipped] = [path("short.splat2d"), path("flipped.splat2d")];
    writeFileSync(short, bytes.subarray(0, 100));
    bytes[120] ^= 4;
    writeFileSync(flipped, bytes);
    const refusals = [
      [short, `${short} is truncated: it has 100 of its ${bytes.length} bytes.`],
      [flipped, `${flipped} is damaged: its checksum does not match its contents.`],
    ];
    for (const [damaged, sentence] of refusals) {
      for (const [command, out] of Object.entries({ export: "x.splat2d", render: "x.png" })) {
        const outcome = await splatbook([command, damaged, "--out", path(out)]);
        assert.deepEqual(outcome, { code: 1, stdout: "", stderr: `${sentence}\n` });
      }
    }
  });
});
