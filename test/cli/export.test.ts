import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Table, tableFromArrays, tableFromIPC, tableToIPC } from "apache-arrow";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, it } from "vitest";
import { arrowFile } from "../../src/engine/files/arrowFile.js";
import { decodeSplat2d } from "../../src/engine/files/splat2d/splat2d.js";
import { decodeImage } from "../../src/host/node/imageFile.js";
import { smallImage, splatbook, splatbookProcess, temporaryFolder } from "./command.js";

const folder = temporaryFolder();
const run = join(folder, "run");
const file = join(run, "blobs.splat2d");
const fit = ["fit", await smallImage(folder), "--pipeline", "cpu", "--blobs", "30", "--steps", "3", "--out", run];
await splatbook(fit);
const path = (name: string) => join(folder, name);

type Row = Record<string, number>;

const rowsOf = (table: Table): Row[] => table.toArray().map((row) => ({ ...row.toJSON() }));

/** Rounds numbers to float32. */
const asFloat32 = (rows: Row[]): Row[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Math.fround(value)])));

const csvRows = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));

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

  it("rejects a precision out of range", async () => {
    for (const precision of ["0.001", "1000", "fine"]) {
      const { code, stderr } = await splatbook(["export", run, "--out", path("no.splat2d"), "--precision", precision]);
      assert.equal(code, 2);
      assert.match(stderr, /^--precision must be a number between 0\.015625 and 64 \(got \S+\)\.\n$/);
    }
  });

  it("exports a .splat2d with the same bytes, and prints no PSNR without a target", async () => {
    const out = path("again.splat2d");
    const { stdout } = await splatbook(["export", file, "--out", out, "--json"]);
    assert.deepEqual(readFileSync(out), readFileSync(file));
    assert.deepEqual(Object.keys(JSON.parse(stdout)), ["out", "bytes", "bitsPerPixel"]);
  });

  it("writes an SVG of a given size from a file or a run, and prints its limits", async () => {
    const [out, fromRun] = [path("file.svg"), path("run.svg")];
    const { stdout } = await splatbook(["export", file, "--out", out, "--size", "48x32", "--json"]);
    const { limits, bytes, width, height } = JSON.parse(stdout);
    const text = readFileSync(out, "utf8");
    assert.deepEqual([width, height, bytes], [48, 32, Buffer.byteLength(text)]);
    assert.match(text, /^<svg [^>]*width="48" height="32"/);
    assert.ok(text.includes(`<desc>${limits.join(" ")}</desc>`) && limits.length >= 3);
    const printed = await splatbook(["export", run, "--out", fromRun]);
    assert.match(printed.stdout, /run\.svg: [\d,]+ bytes, 24x16 pixels\. The Gaussian is drawn as 16 straight lines, /);
    assert.match(readFileSync(fromRun, "utf8"), /width="24" height="16"/);
  });

  it("writes the same PNG as splatbook render, from a file or a run", async () => {
    const size = ["--size", "30x16"];
    const [exported, rendered, ofRun] = ["exported.png", "rendered.png", "ofRun.png"].map(path);
    const { stdout } = await splatbook(["export", file, ...size, "--out", exported]);
    assert.equal(stdout, `${exported}: 30x16 pixels\n`);
    await splatbook(["render", file, ...size, "--out", rendered]);
    assert.deepEqual(readFileSync(exported), readFileSync(rendered));
    await splatbook(["export", run, ...size, "--out", ofRun]);
    const [read, original] = await Promise.all([decodeImage(exported), decodeImage(ofRun)]);
    const furthest = read.data.reduce((most, value, i) => Math.max(most, Math.abs(value - original.data[i])), 0);
    assert.ok(furthest > 0 && furthest < 32, `rounding changes a pixel by ${furthest} of 255`);
  });

  it("writes the parameters as Parquet, CSV and JSON, which read back exactly", async () => {
    const original = tableFromIPC(readFileSync(join(run, "parameters.arrow")));
    const expected = rowsOf(original);
    for (const format of ["parquet", "csv", "json"]) {
      const out = path(`parameters.${format}`);
      const { code, stdout, stderr } = await splatbook(["export", run, "--out", out]);
      assert.equal(code, 0, stderr);
      const bytes = readFileSync(out).length.toLocaleString("en-US");
      assert.equal(stdout, `${out}: ${bytes} bytes, 30 rows of 21 columns\n`);
    }
    const parquet = readFileSync(path("parameters.parquet"));
    const buffer = parquet.buffer.slice(parquet.byteOffset, parquet.byteOffset + parquet.length);
    assert.deepEqual(await parquetReadObjects({ file: buffer }), expected);
    const metadata = new Map(parquetMetadata(buffer).key_value_metadata?.map(({ key, value }) => [key, value]));
    assert.equal(metadata.get("splatbook"), original.schema.metadata.get("splatbook"));
    const json = readFileSync(path("parameters.json"), "utf8");
    assert.deepEqual(asFloat32(JSON.parse(json)), expected);
    const [names, ...rows] = csvRows(path("parameters.csv"));
    const numbers = rows.map((row) => Object.fromEntries(names.map((name, i) => [name, Number(row[i])])));
    assert.deepEqual(asFloat32(numbers), expected);
    const digits = /\d+(?=e|$)/.exec(rows[0][1].replace(".", ""))![0];
    assert.ok(digits.length < 12, `${rows[0][1]} is longer than a float32 needs`);
  });

  it("writes the parameters of a .splat2d file", async () => {
    const out = path("decoded.json");
    await splatbook(["export", file, "--out", out]);
    const [blob] = JSON.parse(readFileSync(out, "utf8"));
    assert.equal(Math.fround(blob.center_x), decodeSplat2d(readFileSync(file)).parameters[0]);
  });

  it("writes any table of a run or sweep, with quoted text and numbers that are not finite", async () => {
    const metrics = path("metrics.csv");
    await splatbook(["export", join(run, "metrics.arrow"), "--out", metrics]);
    const original = tableFromIPC(readFileSync(join(run, "metrics.arrow")));
    const [names, ...rows] = csvRows(metrics);
    assert.deepEqual(
      rows.map((row) => Object.fromEntries(names.map((name, i) => [name, Number(row[i])]))),
      rowsOf(original),
    );
    const table = path("table.arrow");
    const columns = { run: ['a "b", c', "d"], loss: Float64Array.of(Number.NaN, 0.1), delta: Float32Array.of(-0, 0.1) };
    writeFileSync(table, arrowFile(columns, {}));
    const [csv, json] = await Promise.all(
      ["csv", "json"].map(async (format) => {
        const { stdout } = await splatbookProcess(["export", table, "--format", format, "--out", "-"]);
        return stdout;
      }),
    );
    assert.equal(csv, 'run,loss,delta\n"a ""b"", c",NaN,-0\nd,0.1,0.1\n');
    assert.equal(json, '[\n{"run":"a \\"b\\", c","loss":null,"delta":-0},\n{"run":"d","loss":0.1,"delta":0.1}\n]\n');
  });

  it.for([
    ["duckdb", "duckdb.sql(\"select * from '{}'\").to_arrow_table()"],
    ["pyarrow", "__import__('pyarrow.parquet').parquet.read_table('{}')"],
  ])("writes Parquet that %s reads exactly", async ([reader, read], context) => {
    const out = path(`${reader}.parquet`);
    await splatbook(["export", run, "--out", out]);
    const program = `import ${reader}, json; print(json.dumps(${read.replace("{}", out)}.to_pylist()))`;
    const { status, stdout, stderr } = spawnSync("python3", ["-c", program], { encoding: "utf8" });
    if (status !== 0 && /ModuleNotFoundError/.test(stderr)) return context.skip(`${reader} is not installed`);
    assert.equal(status, 0, stderr);
    const original = tableFromIPC(readFileSync(join(run, "parameters.arrow")));
    assert.deepEqual(JSON.parse(stdout), rowsOf(original));
  });

  it("rejects a table that splatbook did not write", async () => {
    const other = path("other.arrow");
    writeFileSync(other, tableToIPC(tableFromArrays({ flag: Int8Array.of(1) }), "file"));
    const outcome = await splatbook(["export", other, "--out", path("x.csv")]);
    const stderr = `${other} is not a table of splatbook: its column flag is of type Int8.\n`;
    assert.deepEqual(outcome, { code: 1, stdout: "", stderr });
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
      for (const command of ["export", "render"]) {
        const outcome = await splatbook([command, damaged, "--out", path("x.png")]);
        assert.deepEqual(outcome, { code: 1, stdout: "", stderr: `${sentence}\n` });
      }
    }
  });
});
