import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { hiddenCharacters } from "../../../src/components/editor/editor.js";

const found = (text: string) => text.match(hiddenCharacters) ?? [];

describe("hidden characters", () => {
  it("are directional, blank and line-breaking ones", () => {
    const codePoints = [
      ...[0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
      ...[0x00, 0x0b, 0x7f, 0x85, 0xa0, 0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x180e, 0x2003, 0x200b, 0x200c, 0x200d],
      ...[0x2028, 0x2029, 0x202f, 0x2060, 0x2064, 0x206f, 0x2800, 0x3000, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0],
      ...[0xfffb, 0x16fe4, 0x1d159, 0x1d173, 0xe0001, 0xe0041, 0xe007f, 0xe0100],
    ].map((codePoint) => String.fromCodePoint(codePoint));
    for (const character of codePoints) assert.deepEqual([...found(`a${character}b`)], [character]);
  });

  it("are found when repeated, and as unpaired surrogates", () => {
    assert.equal(found("\u200bif\u200b (\ud83c)").length, 3);
  });

  it("are none in visible code and prose", () => {
    assert.deepEqual(found('\tconst π = "ünïcode 🎨 שלום नमस्ते 한국어 – …";\r\n// e\u0301'), []);
  });
});
