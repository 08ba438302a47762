import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { hiddenCharacters } from "../../../src/components/editor/hiddenCharacters.js";

describe("hiddenCharacters()", () => {
  it("finds directional, blank and line-breaking characters", () => {
    const codePoints = [
      ...[0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
      ...[0x00, 0x0b, 0x7f, 0x85, 0xa0, 0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x180e, 0x2003, 0x200b, 0x200c, 0x200d],
      ...[0x2028, 0x2029, 0x202f, 0x2060, 0x2064, 0x206f, 0x2800, 0x3000, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0],
      ...[0xfffb, 0x16fe4, 0x1d159, 0x1d173, 0xe0001, 0xe0041, 0xe007f, 0xe0100],
    ];
    for (const codePoint of codePoints) {
      const code = codePoint.toString(16).toUpperCase().padStart(4, "0");
      assert.deepEqual(hiddenCharacters(`a${String.fromCodePoint(codePoint)}b`), [`U+${code}`]);
    }
  });

  it("finds repeated characters, and unpaired surrogates", () => {
    assert.deepEqual(hiddenCharacters("\u200bif\u200b (\ud83c)"), ["U+200B", "U+200B", "U+D83C"]);
  });

  it("finds nothing in visible code and prose", () => {
    assert.deepEqual(hiddenCharacters('\tconst π = "ünïcode 🎨 שלום नमस्ते 한국어 – …";\r\n// e\u0301'), []);
  });
});
