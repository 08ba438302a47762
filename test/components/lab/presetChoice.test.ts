import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { labPresets, presetOf } from "../../../src/components/lab/presetChoice.js";
import { readLink, writeLink } from "../../../src/components/training/link.js";
import { presetStart, startingJob } from "../../../src/components/training/startingJob.js";
import { completeConfig } from "../../../src/engine/config.js";

describe("labPresets", () => {
  for (const kind of ["gpu", "cpu"] as const) {
    const { config: start, longest } = startingJob(kind);
    const blobs = kind === "gpu" ? 8192 : 900;
    const configs = labPresets.map(({ fieldsOf }) => completeConfig(fieldsOf(start, blobs)));

    it(`are found again from the link of their settings (${kind})`, () => {
      for (const [index, config] of configs.entries()) {
        const link = readLink(writeLink(config, start, {})).config;
        const opened = completeConfig({ ...presetStart(start, link.preset), ...link });
        assert.equal(presetOf(opened, start, longest), labPresets[index]);
      }
    });

    it(`differ, and other settings are none of them (${kind})`, () => {
      assert.equal(new Set(configs.map((config) => JSON.stringify(config))).size, 4);
      for (const config of configs) assert.equal(presetOf({ ...config, blobs: 17 }, start, longest), undefined);
    });
  }
});
