import assert from "node:assert/strict";
import { RecordBatchReader, tableFromIPC, tableToIPC } from "apache-arrow";
import { describe, it } from "vitest";
import { concat } from "../../../src/engine/concat.js";
import { completeConfig } from "../../../src/engine/config.js";
import {
  gradientsFile,
  gradientsWriter,
  type MetricsRow,
  metricsFile,
  optimizerFile,
  parametersFile,
  parametersPieces,
  readGradients,
  readMetrics,
  readOptimizer,
  readParameters,
} from "../../../src/engine/files/arrow.js";
import { arrowFile, type Column } from "../../../src/engine/files/arrowFile.js";
import { decode, lowestVariance, modelOf } from "../../../src/engine/model/blob.js";
import { parameterNames, type TrainingState } from "../../../src/engine/model/blobs.js";
import { uniformGenerator } from "../../../src/engine/random.js";
import { initialState } from "../../../src/engine/training/initialState.js";
import { testImage } from "../../support/scenes.js";

const blobs = 7;
const config = completeConfig({ blobs, steps: 50, background: "white" });
const image = testImage(12, 10);
const state: TrainingState = {
  step: 40,
  parameters: noise(1),
  firstMoments: noise(2),
  secondMoments: noise(3),
};

/** 9·N float32 numbers, some of them denormal or negative zero. */
function noise(seed: number): Float32Array {
  const random = uniformGenerator(seed);
  const values = Float32Array.from({ length: 9 * blobs }, () => random() - 0.5);
  values.set([-0, 1e-42, 3e38, -1e-38], 5);
  return values;
}

const rows: MetricsRow[] = [1, 2].map((step) => ({
  step,
  seconds: step / 3,
  loss: 1 / (7 * step),
  psnr: step === 2 ? Number.POSITIVE_INFINITY : 12.3,
  gradientNorms: { center: 0.1 * step, variance: 0.2, correlation: 0.3, color: 0.4, opacity: 0.5 },
  tileLists: { mean: 10 / 3, longest: 4_000_000_000, overflowing: 2, passes: 3 },
}));

/** Bits, so that −0 and 0 differ. */
const bits = (values: Float32Array) => [...new Uint32Array(values.slice().buffer)];

/** Returns the unit of each column. */
const unitsOf = (file: Uint8Array) =>
  Object.fromEntries(tableFromIPC(file).schema.fields.map(({ name, metadata }) => [name, metadata.get("unit")]));

it("a column has the unit of its values, as has its derivative", () => {
  const direct = completeConfig({ blobs, parameterization: "direct" });
  const units = unitsOf(parametersFile(direct, image, state));
  assert.deepEqual(Object.values(units), [
    ...["1", "px", "px", "ln px", "ln px", "1", "1", "1", "1", "1"],
    ...["image widths", "image heights", "image widths²", "image heights²", "1", "1", "1", "1", "1"],
    ...["px", "px"],
  ]);
  const values = tableFromIPC(parametersFile(direct, image, state))
    .get(0)!
    .toJSON();
  const variance = Math.exp(2 * values.log_deviation_x) + lowestVariance;
  assert.ok(Math.abs(values.deviation_x_pixels ** 2 / variance - 1) < 1e-6);
  assert.ok(Math.abs((values.variance_x_decoded * 12 ** 2) / variance - 1) < 1e-6);
  const ofSmoothstep = Object.values(unitsOf(parametersFile(config, image, state)));
  assert.deepEqual(ofSmoothstep.slice(0, 10), Array(10).fill("1"));
  const ofGradients = unitsOf(gradientsFile(direct, [{ step: 1, gradients: state.parameters }]));
  assert.deepEqual(Object.values(ofGradients).slice(0, 5), ["steps", "1", "1/(px)", "1/(px)", "1/(ln px)"]);
  const { seconds, psnr, step } = unitsOf(metricsFile(config, rows));
  assert.deepEqual([seconds, psnr, step], ["s", "dB", "steps"]);
});

describe("parameters.arrow", () => {
  const bytes = parametersFile(config, image, state);

  it("contains the engine's decoded values", () => {
    const table = tableFromIPC(bytes);
    for (let i = 0; i < blobs; i++) {
      const blob = decode(state.parameters, i, modelOf(config, image));
      const { centerX, centerY, varianceX, varianceY, correlation, red, green, blue, opacity } = blob;
      const expected = [centerX, centerY, varianceX, varianceY, correlation, red, green, blue, opacity];
      const decoded = parameterNames.map((name) => table.getChild(`${name}_decoded`)!.get(i));
      assert.deepEqual(decoded, expected.map(Math.fround));
    }
  });

  it("reads files of earlier versions without these columns", () => {
    const { schema } = tableFromIPC(bytes);
    const names = schema.fields.map(({ name }) => name).filter((name) => !name.endsWith("_pixels"));
    assert.equal(names.length, 19);
    const old = tableToIPC(tableFromIPC(bytes).select(names), "file");
    assert.deepEqual(readParameters(old), readParameters(bytes));
  });

  it("contains the complete config as JSON", () => {
    const { metadata } = tableFromIPC(bytes).schema;
    assert.deepEqual(JSON.parse(metadata.get("splatbook")!), config);
    assert.equal(metadata.get("splatbook_format"), "2");
    assert.equal(metadata.get("step"), "40");
  });

  it("reads back bit for bit", () => {
    const read = readParameters(bytes);
    assert.deepEqual([read.config, read.step], [config, 40]);
    assert.deepEqual(bits(read.parameters), bits(state.parameters));
  });

  it("reads the parameters of direct blobs back bit for bit", () => {
    const options = { parameterization: "direct", blend: "sum", background: "black" };
    const direct = completeConfig({ ...config, ...options });
    const file = parametersFile(direct, image, state);
    const read = readParameters(file);
    assert.deepEqual([read.config, read.step], [direct, 40]);
    assert.deepEqual(bits(read.parameters), bits(state.parameters));
    const decoded = (name: string) => tableFromIPC(file).getChild(`${name}_decoded`)!.get(0);
    assert.equal(decoded("center_x"), Math.fround(state.parameters[0] / 12));
    assert.equal(decoded("center_y"), Math.fround(state.parameters[blobs] / 10));
    assert.equal(decoded("opacity"), 1);
  });

  it("is written in pieces of one record batch, so that only one is in memory", () => {
    const batchRows = 2 ** 16;
    const many = completeConfig({ blobs: batchRows + 1 });
    const parameters = new Float32Array(9 * many.blobs).map((_, i) => i);
    const pieces = [...parametersPieces(many, image, { step: 1, parameters })];
    const rows = RecordBatchReader.from(concat(pieces));
    assert.deepEqual(
      Array.from(rows, ({ numRows }) => numRows),
      [batchRows, 1],
    );
    const rowBytes = 4 * (1 + 9 + 11);
    assert.ok(pieces.every(({ length }) => length < (batchRows + 100) * rowBytes));
    assert.ok(readParameters(concat(pieces)).parameters.every((value, i) => value === parameters[i]));
  });
});

describe("optimizer.arrow", () => {
  const bytes = optimizerFile(config, state);

  it("reads back bit for bit", () => {
    const read = readOptimizer(bytes);
    assert.deepEqual([read.config, read.step], [config, 40]);
    assert.deepEqual(bits(read.firstMoments), bits(state.firstMoments));
    assert.deepEqual(bits(read.secondMoments), bits(state.secondMoments));
  });
});

describe("gradients.arrow", () => {
  const records = [
    { step: 10, gradients: noise(4) },
    { step: 20, gradients: noise(5) },
  ];

  it("reads back bit for bit with any number of steps", () => {
    for (const some of [[], records.slice(0, 1), records]) {
      const read = readGradients(gradientsFile(config, some));
      assert.deepEqual(read.config, config);
      assert.deepEqual(
        read.records.map(({ step, gradients }) => [step, bits(gradients)]),
        some.map(({ step, gradients }) => [step, bits(gradients)]),
      );
    }
  });

  it("is the same file when written record by record", () => {
    const writer = gradientsWriter(config);
    const pieces = [...records.map((record) => writer.add(record)), writer.end()];
    assert.ok(pieces[1].length > 4 * 11 * blobs && pieces[1].length < 4 * 11 * blobs + 2000);
    assert.deepEqual(concat(pieces), gradientsFile(config, records));
  });
});

describe("metrics.arrow", () => {
  const bytes = metricsFile(config, rows);

  it("reads back unchanged", () => {
    assert.deepEqual(readMetrics(bytes), { config, rows });
    assert.deepEqual(readMetrics(metricsFile(config, [])).rows, []);
  });
});

describe("a reader refuses, in one sentence,", () => {
  const bytes = parametersFile(config, image, state);
  const metadata = { splatbook: JSON.stringify(config), splatbook_format: "1", step: "40" };
  const columns = (): Record<string, Column> => ({
    blob: Uint32Array.from({ length: blobs }, (_, i) => i),
    ...Object.fromEntries(parameterNames.map((name) => [name, new Float32Array(blobs)])),
  });
  const refuses = (file: Uint8Array, message: string) => assert.throws(() => readParameters(file), { message });

  it("a truncated file", () => {
    for (let length = 0; length < bytes.length; length += 497)
      refuses(bytes.slice(0, length), "parameters.arrow is not a complete Arrow file.");
  });

  it("a file of another program", () => {
    refuses(arrowFile(columns(), {}), "parameters.arrow was not written by splatbook.");
  });

  it("another version", () => {
    const file = arrowFile(columns(), { ...metadata, splatbook_format: "3" });
    refuses(file, "parameters.arrow must be of a format version between 1 and 2 (got 3).");
  });

  it("an invalid config", () => {
    const wrong = JSON.stringify({ ...config, blend: "mix" });
    refuses(
      arrowFile(columns(), { ...metadata, splatbook: wrong }),
      'The config in parameters.arrow cannot be used: blend must be one of over, sum (got "mix").',
    );
    refuses(
      arrowFile(columns(), { ...metadata, splatbook: "{" }),
      "The config in parameters.arrow cannot be used: it is not JSON.",
    );
  });

  it("a missing column, and one of another type", () => {
    const { green, ...others } = columns();
    refuses(arrowFile(others, metadata), "parameters.arrow has no column green.");
    const doubles = { ...columns(), green: new Float64Array(blobs) };
    refuses(arrowFile(doubles, metadata), 'Column green of parameters.arrow must be Float32 (got "Float64").');
  });

  it("another number of rows than blobs", () => {
    const fewer = Object.fromEntries(Object.entries(columns()).map(([name, values]) => [name, values.slice(0, 5)]));
    refuses(arrowFile(fewer, metadata), "parameters.arrow has 5 rows, but its run has 7 blobs.");
    const gradients = arrowFile({ step: new Uint32Array(5), ...fewer }, metadata);
    assert.throws(() => readGradients(gradients), {
      message: "gradients.arrow has 5 rows, which is not a multiple of 7 blobs.",
    });
  });

  it("rows in another order", () => {
    const swapped = { ...columns(), blob: Uint32Array.of(0, 2, 1, 3, 4, 5, 6) };
    refuses(arrowFile(swapped, metadata), "The rows of parameters.arrow are not in blob order.");
  });

  it("NaN and infinity", () => {
    for (const value of [Number.NaN, Number.NEGATIVE_INFINITY]) {
      const broken = columns();
      broken.correlation[4] = value;
      refuses(arrowFile(broken, metadata), `correlation of blob 4 in parameters.arrow must be finite (got ${value}).`);
      const moments = initialState(config, image);
      moments.secondMoments[6 * blobs] = value;
      assert.throws(() => readOptimizer(optimizerFile(config, moments)), {
        message: `second_moment_green of blob 0 in optimizer.arrow must be finite (got ${value}).`,
      });
    }
  });

  it("a file without the number of its step", () => {
    const { step, ...rest } = metadata;
    refuses(arrowFile(columns(), rest), "parameters.arrow does not contain the number of its step.");
  });
});
