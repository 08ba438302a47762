// Flechette is an implementation of Arrow that shares no code with apache-arrow, which writes our files.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { type Column, tableFromIPC } from "@uwdata/flechette";
import { tableFromIPC as tableOfApache } from "apache-arrow";
import { describe, it } from "vitest";
import { completeConfig, type TrainConfig } from "../../../src/engine/config.js";
import {
  gradientsFile,
  type MetricsRow,
  metricsFile,
  optimizerFile,
  parametersFile,
} from "../../../src/engine/files/arrow.js";
import { formatVersion } from "../../../src/engine/files/formatVersion.js";
import { decodeAll, modelOf, valueNames } from "../../../src/engine/model/blob.js";
import { parameterCount, rawNames, type TrainingState } from "../../../src/engine/model/blobs.js";
import { uniformGenerator } from "../../../src/engine/random.js";
import { testImage } from "../../support/scenes.js";

type TypeField = "typeId" | "bitWidth" | "signed" | "precision";
type Columns = Record<string, Uint32Array | Float32Array | Float64Array>;

/** Asserts that flechette reads the columns that were written, bit for bit. */
function assertReads(file: Uint8Array, columns: Columns, metadata: Record<string, string>): void {
  const table = tableFromIPC(file);
  assert.deepEqual(table.names, Object.keys(columns));
  assert.equal(table.numRows, Object.values(columns)[0].length);
  for (const [name, written] of Object.entries(columns)) {
    const column: Column<number> = table.getChild(name);
    assert.equal(column.nullCount, 0, name);
    const read = column.toArray() as Columns[string];
    assert.equal(read.constructor, written.constructor, name);
    assert.ok(Buffer.from(read.slice().buffer).equals(Buffer.from(written.slice().buffer)), `${name} has other values`);
  }
  assert.deepEqual(Object.fromEntries(table.schema.metadata ?? []), metadata);
}

/** Returns a column's type by Arrow's numbers, which both implementations use. */
function typeText({ typeId, bitWidth, signed, precision }: Partial<Record<TypeField, unknown>>): string {
  return Object.entries({ typeId, bitWidth, signed, precision })
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `${field} ${value}`)
    .join(", ");
}

/** Returns the nine columns of a field-major buffer. */
function columnsOf(names: readonly string[], slots: Float32Array): Columns {
  const blobs = slots.length / parameterCount;
  return Object.fromEntries(names.map((name, field) => [name, slots.slice(field * blobs, (field + 1) * blobs)]));
}

function noise(blobs: number, seed: number): Float32Array {
  const random = uniformGenerator(seed);
  const values = Float32Array.from({ length: parameterCount * blobs }, () => random() - 0.5);
  values.set([-0, 1e-42, 1e30, -1e-38]);
  return values;
}

const countUp = (length: number) => Uint32Array.from({ length }, (_, i) => i);
const image = testImage(12, 10);
const step = 40;

for (const parameterization of ["smoothstep", "direct"] as const) {
  // More rows than a record batch has.
  const blobs = 2 ** 16 + 5;
  const config: TrainConfig = completeConfig({ blobs, parameterization });
  const names = rawNames(parameterization);
  const [parameters, firstMoments, secondMoments] = [1, 2, 3].map((seed) => noise(blobs, seed));
  const state: TrainingState = { step, parameters, firstMoments, secondMoments };
  const metadata = { splatbook: JSON.stringify(config), splatbook_format: String(formatVersion) };

  describe(`flechette, of ${parameterization} blobs`, () => {
    it("reads every raw and decoded parameter of parameters.arrow", () => {
      const decoded = decodeAll(parameters, modelOf(config, image));
      const pixels = decoded.map(({ varianceX, varianceY }) => [12 * Math.sqrt(varianceX), 10 * Math.sqrt(varianceY)]);
      const values = [
        ...valueNames.map((name) => Float32Array.from(decoded, (blob) => blob[name])),
        ...[0, 1].map((axis) => Float32Array.from(pixels, (deviations) => deviations[axis])),
      ];
      const decodedNames = rawNames("smoothstep").map((name) => `${name}_decoded`);
      decodedNames.push("deviation_x_pixels", "deviation_y_pixels");
      assertReads(
        parametersFile(config, image, state),
        {
          blob: countUp(blobs),
          ...columnsOf(names, parameters),
          ...Object.fromEntries(decodedNames.map((name, i) => [name, values[i]])),
        },
        { ...metadata, step: String(step) },
      );
    });

    it("reads both moments of every parameter in optimizer.arrow", () => {
      const named = (prefix: string) => names.map((name) => `${prefix}_${name}`);
      assertReads(
        optimizerFile(config, state),
        {
          blob: countUp(blobs),
          ...columnsOf(named("first_moment"), firstMoments),
          ...columnsOf(named("second_moment"), secondMoments),
        },
        { ...metadata, step: String(step) },
      );
    });

    it("reads a row per blob for each record of gradients.arrow", () => {
      const records = [3, 7].map((step) => ({ step, gradients: noise(blobs, step) }));
      const [first, second] = records.map(({ gradients }) => columnsOf(names, gradients));
      const both = names.map((name) => [name, Float32Array.from([...first[name], ...second[name]])]);
      const rows = countUp(2 * blobs);
      assertReads(
        gradientsFile(config, records),
        {
          step: rows.map((row) => (row < blobs ? 3 : 7)),
          blob: rows.map((row) => row % blobs),
          ...Object.fromEntries(both),
        },
        { ...metadata, parameters_step: "step - 1" },
      );
    });
  });
}

describe("flechette", () => {
  it("reads a row per recorded step of metrics.arrow", () => {
    const config = completeConfig({ blobs: 3 });
    const rows: MetricsRow[] = [1, 2].map((step) => ({
      step,
      seconds: step / 3,
      loss: 1 / (7 * step),
      psnr: step === 2 ? Number.POSITIVE_INFINITY : 12.3,
      gradientNorms: { center: 0.1 * step, variance: 0.2, correlation: 0.3, color: 0.4, opacity: 0.5 },
      tileLists: { mean: 10 / 3, longest: 4_000_000_000, overflowing: 2, passes: 3 },
    }));
    const norms = (["center", "variance", "correlation", "color", "opacity"] as const).map((group) => [
      `gradient_norm_${group}`,
      Float64Array.from(rows, ({ gradientNorms }) => gradientNorms[group]),
    ]);
    assertReads(
      metricsFile(config, rows),
      {
        step: Uint32Array.of(1, 2),
        seconds: Float64Array.of(1 / 3, 2 / 3),
        loss: Float64Array.of(1 / 7, 1 / 14),
        psnr: Float64Array.of(12.3, Number.POSITIVE_INFINITY),
        ...Object.fromEntries(norms),
        short_list_mean: Float64Array.of(10 / 3, 10 / 3),
        short_list_longest: Uint32Array.of(4_000_000_000, 4_000_000_000),
        short_list_overflowing: Uint32Array.of(2, 2),
        short_list_passes: Uint32Array.of(3, 3),
      },
      { splatbook: JSON.stringify(config), splatbook_format: String(formatVersion) },
    );
  });

  it("reads the same values as apache-arrow in every recorded benchmark", () => {
    const files = readdirSync("data/bench").filter((name) => name.endsWith(".arrow"));
    assert.ok(files.length >= 2);
    for (const name of files) {
      const bytes = readFileSync(`data/bench/${name}`);
      const [read, written] = [tableFromIPC(bytes), tableOfApache(bytes)];
      const types = read.schema.fields.map(({ name, type }) => `${name} ${typeText(type)}`);
      assert.deepEqual(
        types,
        written.schema.fields.map(({ name, type }) => `${name} ${typeText({ ...type, signed: type.isSigned })}`),
        name,
      );
      for (const column of read.names) {
        assert.deepEqual([...read.getChild(column)], [...written.getChild(column)!], `${column} of ${name}`);
      }
    }
  });
});
