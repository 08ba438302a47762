import assert from "node:assert/strict";
import { tableFromIPC } from "apache-arrow";
import { describe, it } from "vitest";
import { completeConfig } from "../../../src/engine/config.js";
import {
  gradientsFile,
  metricsFile,
  optimizerFile,
  parametersFile,
  regionsMetricsFile,
} from "../../../src/engine/files/arrow.js";
import {
  type ColumnNotes,
  gradientNotes,
  metricsNotes,
  optimizerNotes,
  parameterNotes,
  sweepNotes,
} from "../../../src/engine/files/columnNotes.js";
import { parameterizations } from "../../../src/engine/model/blobs.js";
import { initialState } from "../../../src/engine/training/initialState.js";
import { testImage } from "../../support/scenes.js";

/** Asserts the columns of a file, in order, and the metadata of their fields. */
function carries(file: Uint8Array, notes: ColumnNotes): void {
  const fields = tableFromIPC(file).schema.fields.map(({ name, metadata }) => [name, Object.fromEntries(metadata)]);
  const expected = Object.entries(notes).map(([name, [unit, description]]) => [name, { unit, description }]);
  assert.deepEqual(fields, expected);
}

const image = testImage(12, 10);

describe("the columns of a run's files carry unit and description", () => {
  for (const parameterization of parameterizations) {
    it(`with parameterization ${parameterization}`, () => {
      const config = completeConfig({ blobs: 3, parameterization });
      const state = initialState(config, image);
      carries(parametersFile(config, image, state), parameterNotes(config));
      carries(optimizerFile(config, state), optimizerNotes(config));
      carries(gradientsFile(config, [{ step: 1, gradients: state.parameters }]), gradientNotes(config));
    });
  }

  it("in metrics.arrow, with and without regions", () => {
    const config = completeConfig({ blobs: 3 });
    const { region, ...others } = metricsNotes();
    carries(metricsFile(config, []), others);
    carries(regionsMetricsFile(config, [[]]), { ...others, region });
  });

  it("and describe each column", () => {
    const config = completeConfig({ parameterization: "direct" });
    const ofRuns = [parameterNotes(config), optimizerNotes(config), gradientNotes(config), metricsNotes()];
    const all = [...ofRuns, sweepNotes()];
    const notes = all.flatMap((notes) => Object.entries(notes));
    const bare = notes.filter(([, [unit, description]]) => unit === "" || description.length < 4);
    assert.deepEqual(bare, []);
  });
});
