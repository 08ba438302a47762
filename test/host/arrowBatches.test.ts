import assert from "node:assert/strict";
import { makeVector, Table, tableFromArrays, tableToIPC, vectorFromArray } from "apache-arrow";
import { describe, it } from "vitest";
import { concat } from "../../src/engine/concat.js";
import { ArrowFileWriter } from "../../src/engine/files/arrowFile.js";
import { joinBatches, openArrow } from "../../src/host/arrowBatches.js";

const metadata = { of: "a test" };
const fields = { n: { unit: "rows", description: "Number of the row" }, x: {}, name: {} };
const pieces = [
  { n: Uint32Array.of(1, 2), x: Float32Array.of(-0, 1e-42), name: ["a", "b"] },
  { n: Uint32Array.of(3), x: Float32Array.of(Number.POSITIVE_INFINITY), name: ["ä"] },
  { n: Uint32Array.of(4, 5, 6), x: Float32Array.of(1, 2, 3), name: ["", "c", "d"] },
];

function write(batches: typeof pieces): Blob {
  const writer = new ArrowFileWriter(pieces[0], metadata, { n: { ...fields.n, range: "" } });
  return new Blob([concat([...batches.map((columns) => writer.add(columns)), writer.end()]) as BlobPart]);
}

/** Records which bytes are read. */
class WatchedBlob extends Blob {
  readonly reads: [number, number][] = [];
  override slice(start = 0, end = this.size): Blob {
    this.reads.push([start < 0 ? this.size + start : start, end]);
    return super.slice(start, end);
  }
}

describe("openArrow()", () => {
  it("reads one batch at a time, and nothing of the others", async () => {
    const bytes = await write(pieces).arrayBuffer();
    const file = new WatchedBlob([bytes]);
    const batches = await openArrow(file, "x.arrow");
    assert.equal(batches.count, 3);
    const first = Buffer.from(bytes).indexOf(Buffer.from(pieces[0].n.buffer));
    assert.ok(
      file.reads.every(([start, end]) => start > first || end <= first),
      "none is read before its request",
    );
    file.reads.length = 0;
    assert.deepEqual(await batches.read(2), { rows: 3, columns: pieces[2], metadata, fields });
    assert.ok(file.reads.length > 0 && file.reads.every(([start]) => start > first));
    assert.deepEqual((await batches.read(0)).columns, pieces[0]);
  });

  it("joins batches of any lengths into whole columns", async () => {
    for (const order of [pieces, pieces.toReversed()]) {
      const { rows, columns } = await joinBatches(await openArrow(write(order), "x.arrow"));
      assert.equal(rows, 6);
      assert.deepEqual(columns.n, Uint32Array.from(order.flatMap(({ n }) => [...n])));
      assert.deepEqual(columns.x, Float32Array.from(order.flatMap(({ x }) => [...x])));
      assert.deepEqual(
        columns.name,
        order.flatMap(({ name }) => name),
      );
    }
    assert.equal((await joinBatches(await openArrow(write([]), "x.arrow"))).rows, 0);
  });

  it("reads files of other programs: other number types, and strings in a dictionary", async () => {
    const table = new Table({
      int: makeVector(Int16Array.of(-3, 4)),
      double: makeVector(Float64Array.of(0.1, 2)),
      word: tableFromArrays({ word: ["x", "y"] }).getChild("word")!,
    });
    const { columns } = await joinBatches(
      await openArrow(new Blob([tableToIPC(table, "file") as BlobPart]), "x.arrow"),
    );
    assert.deepEqual(columns, { int: Int16Array.of(-3, 4), double: Float64Array.of(0.1, 2), word: ["x", "y"] });
  });

  it("rejects truncated and damaged files, nulls and unsupported types with one sentence", async () => {
    const bytes = new Uint8Array(await write(pieces).arrayBuffer());
    const open = async (contents: Uint8Array) =>
      joinBatches(await openArrow(new Blob([contents as BlobPart]), "x.arrow"));
    await assert.rejects(open(bytes.subarray(0, 300)), { message: "x.arrow is not a complete Arrow file." });
    await assert.rejects(open(new Uint8Array()), { message: "x.arrow is not a complete Arrow file." });
    const holed = concat([bytes.subarray(0, 100), bytes.subarray(bytes.length - 40)]);
    await assert.rejects(open(holed), { message: "x.arrow is a damaged Arrow file." });
    const withNull = new Table({ a: vectorFromArray([1, null]) });
    const message = "Column a of x.arrow has null values, which are not supported.";
    await assert.rejects(open(tableToIPC(withNull, "file")), { message });
    const long = new Table({ a: makeVector(BigInt64Array.of(1n)) });
    await assert.rejects(open(tableToIPC(long, "file")), {
      message: "Column a of x.arrow has the type Int64, which is not supported.",
    });
    const named = new Table({ ["a\n".repeat(50)]: makeVector(BigInt64Array.of(1n)) });
    await assert.rejects(open(tableToIPC(named, "file")), {
      message: `Column ${"a\ufffd".repeat(40)}… of x.arrow has the type Int64, which is not supported.`,
    });
  });
});
