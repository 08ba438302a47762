import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "vitest";
import { readRunDescription } from "../../src/engine/files/runDescription.js";
import { windowConfig } from "../../src/engine/regions/fit.js";
import { stepsText } from "../../src/report/environment.js";

describe("stepsText()", () => {
  it("counts the steps of all regions and seams, as the time and the rate do", () => {
    const description = readRunDescription(readFileSync("data/runs/chelsea-regions/run.json", "utf8"));
    const { config, step, regions } = description;
    const all = step * regions!.list.length + windowConfig(config, 1).steps * regions!.windows;
    assert.equal(all, 16_000);
    assert.equal(stepsText(description), "800 steps per region, 16,000 for all regions and seams,");
    assert.equal(stepsText({ ...description, regions: undefined }), "800 steps");
  });
});
