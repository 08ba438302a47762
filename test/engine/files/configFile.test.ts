import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig } from "../../../src/engine/config.js";
import { readConfigFile, writeConfigFile } from "../../../src/engine/files/configFile.js";

describe("config.json", () => {
  const image = { width: 2, height: 1, data: new Uint8ClampedArray(8) };
  const chosen = { name: "coffee", inGallery: "coffee", image, original: { width: 20, height: 10 } };

  it("contains the whole configuration and names the image", () => {
    const config = completeConfig({ blobs: 12 });
    const read = readConfigFile(writeConfigFile(config, chosen), "config.json");
    assert.deepEqual(read.config, config);
    assert.deepEqual(read.image, { name: "coffee", inGallery: "coffee", width: 2, height: 1 });
  });

  it("can be a bare configuration or a run.json", () => {
    assert.deepEqual(readConfigFile('{"blobs": 5}', "a.json"), { config: { blobs: 5 } });
    const run = { version: 1, config: { blobs: 5 }, image: { name: "x.png", width: 3, height: 4, hash: "0" } };
    assert.equal(readConfigFile(JSON.stringify(run), "run.json").image?.width, 3);
    assert.ok(!readConfigFile(JSON.stringify(run), "run.json").isByRegions);
    assert.ok(readConfigFile(JSON.stringify({ ...run, regions: {} }), "run.json").isByRegions);
  });

  it("is refused with an error that names the file", () => {
    assert.throws(() => readConfigFile("blobs: 5", "a.yaml"), { message: "a.yaml is not JSON." });
    assert.throws(() => readConfigFile("[1]", "a.json"), { message: "a.json does not hold a config." });
    assert.throws(() => readConfigFile('{"config": 3}', "a.json"), {
      message: "The config in a.json must be an object (got 3).",
    });
  });
});
