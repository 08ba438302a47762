import assert from "node:assert/strict";
import { it } from "vitest";
import { writePage } from "../../../src/components/cells/pageFile.js";

const fence = (source: string, ticks = "```", info = "js") => `${ticks}${info}\n${source}\n${ticks}`;

it("writePage() replaces edited cells and inserts new ones above and below others", () => {
  const page = ["# Title", fence("const a = 1;", "```", "js echo"), "Text.", fence("display(a);")].join("\n\n");
  const originals = new Map([
    ["a", "const a = 1;"],
    ["b", "display(a);"],
  ]);
  const added = [
    { id: "added-1", after: "a", language: "ts" as const, source: "const c: number = a;" },
    { id: "added-2", after: "a", language: "js" as const, source: "md`\n```\n`" },
    { id: "added-3", after: "", before: "b", language: "js" as const, source: "c" },
    { id: "added-4", after: "gone", language: "js" as const, source: "last" },
  ];
  const written = writePage(page, originals, { edits: { a: "const a = 2;\nconst $& = 3;", b: "" }, added });
  const expected = [
    "# Title",
    fence("const a = 2;\nconst $& = 3;", "```", "js echo"),
    fence("const c: number = a;", "```", "ts"),
    fence("md`\n```\n`", "````"),
    "Text.",
    fence("c"),
    fence(""),
    `${fence("last")}\n`,
  ];
  assert.equal(written, expected.join("\n\n"));
});
