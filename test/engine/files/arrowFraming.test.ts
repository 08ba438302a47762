import assert from "node:assert/strict";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { describe, it } from "vitest";
import { concat } from "../../../src/engine/concat.js";
import { ArrowFileWriter, readArrowFile, readColumn } from "../../../src/engine/files/arrowFile.js";
import { uniformGenerator } from "../../../src/engine/random.js";

const columns = { n: Uint32Array.of(1, 2, 3), x: Float64Array.of(4, 5, 6), name: ["a", "bc", "d"] };
const writer = new ArrowFileWriter(columns, { of: "a test" });
const valid = concat([writer.add(columns), writer.add(columns), writer.end()]);
/** A file with a dictionary of texts. */
const foreign = tableToIPC(tableFromArrays({ word: ["x", "y", "x"], y: Float32Array.of(1, 2, 3) }), "file");
const damaged = { message: "x.arrow is a damaged Arrow file." };

/** The position of the footer, whose length precedes the last six bytes. */
const footerStart = valid.length - 10 - new DataView(valid.buffer).getInt32(valid.length - 10, true);

/** Returns the valid file with a change of its first batch's block in the footer. */
function withBlock(change: (view: DataView, at: number) => void): Uint8Array {
  const bytes = valid.slice();
  const view = new DataView(bytes.buffer);
  const isBlock = (at: number) => {
    const offset = Number(view.getBigInt64(at, true));
    // A message begins with -1, and the first one is the schema's.
    return offset > 8 && offset < footerStart && offset % 8 === 0 && view.getInt32(offset, true) === -1;
  };
  let at = footerStart;
  while (!isBlock(at)) at++;
  change(view, at);
  return bytes;
}

/** Reads all columns. */
function readAll(bytes: Uint8Array): void {
  const table = readArrowFile(bytes, "x.arrow");
  readColumn(table, "n", columns.n, "x.arrow");
  readColumn(table, "x", columns.x, "x.arrow");
  readColumn(table, "name", columns.name, "x.arrow");
}

describe("an Arrow file is refused before apache-arrow reads it", () => {
  const cases: Record<string, Uint8Array> = {
    // It would be read forever, since it yields no batch.
    "with a batch declared as a schema": withBlock((view, at) => {
      const message = Number(view.getBigInt64(at, true)) + 8;
      const root = message + view.getUint32(message, true);
      const slots = root - view.getInt32(root, true);
      view.setUint8(root + view.getUint16(slots + 6, true), 1);
    }),
    "with a batch beyond its end": withBlock((view, at) => view.setBigInt64(at, 1n << 40n, true)),
    "with a batch before its start": withBlock((view, at) => view.setBigInt64(at, -8n, true)),
    "with a batch without metadata": withBlock((view, at) => view.setInt32(at + 8, 0, true)),
    "with two batches at the same position": withBlock((view, at) =>
      view.setBigInt64(at + 24, view.getBigInt64(at, true), true),
    ),
    "with a footer longer than the file": (() => {
      const bytes = valid.slice();
      new DataView(bytes.buffer).setInt32(bytes.length - 10, 2 ** 30, true);
      return bytes;
    })(),
  };
  it("with wrong positions or lengths in its footer", () => {
    for (const [what, bytes] of Object.entries(cases)) {
      assert.throws(() => readArrowFile(bytes, "x.arrow"), damaged, what);
    }
  });

  it("with a dictionary, which no file of splatbook has", () => {
    assert.throws(() => readArrowFile(foreign, "x.arrow"), damaged);
  });

  it("with rows without bytes", () => {
    // Three rows, as a length of 64 bits before each of the nodes' zero nulls.
    const bytes = valid.slice();
    const view = new DataView(bytes.buffer);
    let changed = 0;
    for (let at = 0; at + 8 < footerStart; at += 8) {
      if (view.getBigInt64(at, true) !== 3n) continue;
      view.setBigInt64(at, 1n << 33n, true);
      changed++;
    }
    assert.ok(changed >= 8, `${changed} lengths`);
    assert.throws(() => readArrowFile(bytes, "x.arrow"), damaged);
  });

  it("with texts beyond their bytes", () => {
    const bytes = valid.slice();
    const at = Buffer.from(bytes).indexOf(Buffer.from(Int32Array.of(0, 1, 3, 4).buffer));
    new DataView(bytes.buffer).setInt32(at + 4, 4, true);
    assert.throws(() => readAll(bytes), damaged);
  });
});

it("an Arrow file with up to a dozen wrong bytes is read or refused by an error of one sentence", () => {
  const random = uniformGenerator(3);
  const below = (most: number) => Math.floor(most * random());
  let read = 0;
  for (let round = 0; round < 400; round++) {
    const bytes = valid.slice();
    for (let k = 1 + below(12); k > 0; k--) bytes[below(bytes.length - 12)] = random() < 0.5 ? 0xff : below(256);
    try {
      readAll(bytes);
      read++;
    } catch (error) {
      assert.ok(error instanceof Error && /^[^\n]*\.$/.test(error.message) && error.name === "Error", String(error));
    }
  }
  assert.ok(read < 400, `${read} were read`);
});
