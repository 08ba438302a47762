import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { editsFromHash, editsToHash } from "../../../src/components/cells/pageEdits.js";

const edits = {
  edits: { abcd1234: `const π = \`\${3}\`;\n// ünïcode 🎨` },
  added: [{ id: "added-1", after: "abcd1234", language: "md" as const, source: "# Title" }],
};

describe("edits in a link", () => {
  it("come out as they went in, through an address", () => {
    const url = new URL(`https://example.org/lab?blobs=3${editsToHash(edits)}`);
    assert.deepEqual(editsFromHash(url.hash), edits);
    assert.equal(editsFromHash("#how-it-goes"), undefined);
  });

  for (const [name, hash] of [
    ["cut off", editsToHash(edits).slice(0, -9)],
    ["no base64", "#cells=%%"],
    ["something else", editsToHash({ edits: { a: 1 as never }, added: [] })],
    ["a text in place of texts by name", editsToHash({ edits: "text" as never, added: [] })],
    ["of the page's own ids", editsToHash({ edits: {}, added: [{ ...edits.added[0], id: "abcd1234" }] })],
    ["of one id twice", editsToHash({ edits: {}, added: [edits.added[0], edits.added[0]] })],
    ["of another language", editsToHash({ edits: {}, added: [{ ...edits.added[0], language: "wasm" as never }] })],
  ]) {
    it(`are refused with a sentence when they are ${name}`, () => {
      assert.throws(() => editsFromHash(hash), /The cells that this link brings are damaged/);
    });
  }
});
