import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { findPhrases, phrasesInProject } from "./support/phrases.js";
import { passagesOf } from "./support/prose.js";

describe("findPhrases()", () => {
  const phrasesIn = (path: string, source: string) =>
    findPhrases(path, source).map(({ line, phrase }) => `${line}: ${phrase}`);

  it("reads comments, strings and templates of scripts, and no identifiers or regular expressions", () => {
    const source = `// A cell whose value
      const told = \`a \${told ? "drawn anew" : \`\${told} comes to\`} picture\`;
      const pattern = /whose picture/;
      const picture = "picture";`;
    assert.deepEqual(phrasesIn("a.ts", source), ["1: whose", "2: picture", "2: anew, afresh", "2: comes to"]);
  });

  it("reads comments of WGSL and CSS, and all of a page", () => {
    assert.deepEqual(phrasesIn("a.wgsl", "let twin = 1; // its twin\n/* on the\n way back */"), [
      "1: twin",
      "3: way back",
    ]);
    assert.deepEqual(phrasesIn("a.css", ".picture { } /* a picture */"), ["1: picture"]);
    assert.deepEqual(phrasesIn("a.md", "One\n\nMeanwhile"), ["3: meanwhile"]);
  });

  it("accepts names in recorded files, links, classes and ordinary English", () => {
    const source = `["no growth", "?picture=coffee", "a picture-frame", "tells apart"]; // No more than 3, as far away`;
    assert.deepEqual(phrasesIn("a.ts", source), ["1: is told, tells"]);
    assert.deepEqual(passagesOf("a.ts", "const a = 'src/a.ts';"), []);
  });
});

it("pages, comments, strings and test titles have no phrases to avoid (npm run phrases)", () => {
  assert.deepEqual(
    phrasesInProject().map(({ file, line, phrase }) => `${file}:${line}: ${phrase}`),
    [],
  );
});
