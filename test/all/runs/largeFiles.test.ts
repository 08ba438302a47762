import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { truncateSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "vitest";
import { fill, readLarge, updateHash } from "../../../src/runs/largeFiles.js";
import { refusalOf, smallImage, splatbook, temporaryFolder } from "../../cli/command.js";

const folder = temporaryFolder();
const path = join(folder, "bytes");
const bytes = Uint8Array.from({ length: 100 }, (_, i) => i);
writeFileSync(path, bytes);

describe("a file larger than one read", () => {
  it("is read completely, into its own buffer", async () => {
    const read = await readLarge(path, "bytes", 7);
    assert.deepEqual([...read], [...bytes]);
    assert.equal(read.buffer.byteLength, 100);
  });

  it("fills an array from any position on, up to its end", async () => {
    const file = await open(path);
    const array = new Uint8Array(30);
    assert.equal(await fill(file, array, 60, 7), 30);
    assert.deepEqual([...array], [...bytes.subarray(60, 90)]);
    assert.equal(await fill(file, array, 90, 7), 10);
    await file.close();
  });

  it("has the SHA-256 of all its bytes", () => {
    const whole = createHash("sha256").update(bytes).digest("hex");
    assert.equal(updateHash(createHash("sha256"), bytes, 7).digest("hex"), whole);
  });

  // On other systems sparse files may use disk space.
  it.skipIf(process.platform !== "linux")("is rejected with its name and size if it exceeds an array", async () => {
    const run = join(folder, "run");
    const fit = ["fit", await smallImage(folder), "--pipeline", "cpu", "--blobs", "3", "--steps", "2"];
    await splatbook([...fit, "--out", run]);
    truncateSync(join(run, "parameters.arrow"), 2 ** 43);
    const { code, sentence } = await refusalOf(["render", run, "--out", join(folder, "out.png")]);
    const why = `parameters.arrow is too large to read: it has ${2 ** 43} bytes.`;
    assert.deepEqual([code, sentence], [1, `The run ${run} cannot be used: ${why}`]);
  });
});
