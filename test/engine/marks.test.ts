import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { blockAt, findDeclaration, markedLines, unmarked } from "../../src/engine/marks.js";
import { readMarkedShaders, readShaders } from "../../src/host/node/shaderFiles.js";

const source = `// A comment.
fn first(a: u32) -> u32 { //@ first.begin
  // Not a mark: http://example.org
  //@ first.loop
  for (var i = 0u; i < a; i++) {
    step(i); //@ first.{a,b}.{0,1} other
  }
  return a;
}

fn second() {}`;
const lines = markedLines(source);
const textOf = (name: string) => blockAt(lines, findDeclaration(lines, name)).map(({ text }) => text);

describe("markedLines", () => {
  it("reads marks at the end of a line and on a separate line above it, and expands braces", () => {
    assert.deepEqual(
      lines.flatMap(({ text, marks }) => (marks.length > 0 ? [[text, ...marks]] : [])),
      [
        ["fn first(a: u32) -> u32 {", "first.begin"],
        ["  for (var i = 0u; i < a; i++) {", "first.loop"],
        ["    step(i);", "first.a.0", "first.a.1", "first.b.0", "first.b.1", "other"],
      ],
    );
  });

  it("keeps everything else", () => {
    const others = source.replace("  //@ first.loop\n", "").replace(/ \/\/@.*/g, "");
    assert.equal(unmarked(source), others);
    assert.equal(unmarked(others), others);
  });
});

it("a block is found by its declaration or mark, and ends with the line that closes it", () => {
  assert.deepEqual(
    textOf("first"),
    lines.slice(1, 8).map(({ text }) => text),
  );
  assert.deepEqual(textOf("first.loop"), ["  for (var i = 0u; i < a; i++) {", "    step(i);", "  }"]);
  assert.deepEqual(textOf("second"), ["fn second() {}"]);
  assert.equal(findDeclaration(lines, "fir"), -1);
});

it("kernels are read without marks and with the same line numbers", async () => {
  const [marked, read] = [await readMarkedShaders("shaders"), await readShaders("shaders")];
  assert.ok([...marked.values()].some((text) => text.includes("//@")));
  assert.deepEqual([...marked.keys()], [...read.keys()]);
  for (const [file, text] of read) {
    assert.ok(!text.includes("//@"), file);
    // A mark on a separate line would change the line numbers in a compiler's messages.
    assert.equal(text.split("\n").length, marked.get(file)!.split("\n").length, file);
  }
});
