import assert from "node:assert/strict";
import { constants, deflateRawSync } from "node:zlib";
import { describe, it } from "vitest";
import { editsFromHash, editsToHash } from "../../../src/components/cells/linkedEdits.js";
import type { PageEdits } from "../../../src/components/cells/pageEdits.js";

const edits = {
  edits: { abcd1234: `const π = \`\${3}\`;\n// ünïcode 🎨` },
  added: [{ after: "abcd1234", before: "", source: "1" }],
};

const damaged =
  /^Error: The cells in this link are damaged, truncated or too large, so the page is shown without them\.$/;

describe("edits in a link", () => {
  it("survive the way through an address", () => {
    const url = new URL(`https://example.org/lab?blobs=3${editsToHash(edits)}`);
    assert.deepEqual(editsFromHash(url.hash), edits);
    assert.equal(editsFromHash("#how-it-goes"), undefined);
  });

  for (const [name, hash] of [
    ["truncated", editsToHash(edits).slice(0, -9)],
    ["not base64", "#cells=%%"],
    ["something else", editsToHash({ edits: {}, added: [null as never] })],
  ]) {
    it(`are rejected with an error if they are ${name}`, () => {
      assert.throws(() => editsFromHash(hash), damaged);
    });
  }
});

it("cells of earlier versions keep their text: SQL fails with the alternative, Markdown becomes a template", () => {
  const old = (language: string, source: string) => ({ id: `added-${language}`, after: "abcd1234", language, source });
  const cells = [
    old("sql", "SELECT *\nFROM parameters"),
    old("md", `\`a\\b\` is \${[a].map((x) => {x;})}.`),
  ] as never[];
  const [sql, md] = editsFromHash(editsToHash({ edits: {}, added: cells }))!.added;
  assert.match(sql.source, /^throw new Error\('SQL cells were removed: .*\n\/\/ SELECT \*\n\/\/ FROM parameters$/);
  assert.equal(md.source, `md\`\\\`a\\\\b\\\` is \${[a].map((x) => {x;})}.\``);
});

it("cells of earlier versions, which name the added cell that they follow, belong to the same cell of the page", () => {
  const old = [
    { id: "added-1", after: "abcd1234", before: "b", language: "js", source: "1" },
    { id: "added-2", after: "added-1", language: "js", source: "1" },
  ];
  const { added } = editsFromHash(editsToHash({ edits: {}, added: old as never[] }))!;
  assert.deepEqual(
    added.map(({ after, before }) => [after, before]),
    [
      ["abcd1234", "b"],
      ["abcd1234", "b"],
    ],
  );
});

/** Returns a link that ignores all limits. */
function forged(edits: PageEdits): string {
  return `#cells=${deflateRawSync(JSON.stringify(edits)).toString("base64url")}`;
}

function cells(count: number, source: string): PageEdits {
  return { edits: {}, added: Array(count).fill({ ...edits.added[0], source }) };
}

describe("edits in a link that are too many or too large", () => {
  const sentence = /^Error: Edits of a page can have at most 100 cells and 500,000 bytes in all\.$/;
  for (const [name, edits] of [
    ["cells", cells(101, "1")],
    ["bytes", cells(6, "–".repeat(30_000))],
  ] as const) {
    it(`are rejected with an error when they are opened and when they are shared: ${name}`, () => {
      assert.throws(() => editsFromHash(forged(edits)), damaged);
      assert.throws(() => editsToHash(edits), sentence);
    });
  }

  it("are never unpacked beyond the limit", () => {
    // It ends in an invalid block, which only unpacking all of it would find.
    const zeros = deflateRawSync(Buffer.alloc(30_000_000), { finishFlush: constants.Z_SYNC_FLUSH });
    const bomb = Buffer.concat([zeros, Buffer.of(7)]).toString("base64url");
    assert.throws(
      () => editsFromHash(`#cells=${bomb}`),
      ({ cause }: Error) => cause instanceof RangeError && /too long/.test(cause.message),
    );
  });
});
