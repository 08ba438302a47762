import assert from "node:assert/strict";
import { it } from "vitest";
import { writePage } from "../../../src/components/cells/pageFile.js";

const fence = (source: string, ticks = "```", info = "js") => `${ticks}${info}\n${source}\n${ticks}`;

it("writePage() replaces edited cells and inserts new ones above and below others", () => {
  const page = ["# Title", fence("const a = 1;", "```", "js echo"), "Text.", fence("display(a);")].join("\n\n");
  const ids = new Map([
    ["const a = 1;", "a"],
    ["display(a);", "b"],
  ]);
  const added = [
    { after: "a", before: "", source: "const c: number = a;" },
    { after: "a", before: "", source: "md`\n```\n`" },
    { after: "", before: "b", source: "c" },
    { after: "gone", before: "", source: "last" },
  ];
  const written = writePage(page, ids, { edits: { a: "const a = 2;\nconst $& = 3;", b: "" }, added });
  const expected = [
    "# Title",
    fence("const a = 2;\nconst $& = 3;", "```", "ts echo"),
    fence("const c: number = a;", "```", "ts"),
    fence("md`\n```\n`", "````", "ts"),
    "Text.",
    fence("c", "```", "ts"),
    fence("", "```", "ts"),
    `${fence("last", "```", "ts")}\n`,
  ];
  assert.equal(written, expected.join("\n\n"));
});
