import assert from "node:assert/strict";
import { CompletionContext, type CompletionResult, type CompletionSource } from "@codemirror/autocomplete";
import { javascript } from "@codemirror/lang-javascript";
import { markdown } from "@codemirror/lang-markdown";
import { EditorState } from "@codemirror/state";
import { describe, it } from "vitest";
import { completion } from "../../../src/components/editor/editor.js";

/** Returns what is offered at the `|` of a text. */
function offeredAt(text: string, language: "javascript" | "markdown"): string[] {
  const names = completion(language, {
    names: () => [{ label: "blobs" }, { label: "run" }],
    members: ([name]) => [{ label: name === "blobs" ? "toExponential" : "target" }],
    quotedNames: () => ["center_x"],
  });
  const at = text.indexOf("|");
  const doc = text.replace("|", "");
  const state = EditorState.create({ doc, extensions: [language === "markdown" ? markdown() : javascript(), names] });
  // The language's own sources come with it; those of names are added by the editor.
  const sources = state.languageDataAt<CompletionSource>("autocomplete", at).filter(({ name }) => name === "complete");
  assert.ok(sources.length > 0);
  const results = sources.map((source) => source(new CompletionContext(state, at, false)) as CompletionResult | null);
  return results.flatMap((result) => result?.options.map(({ label }) => label) ?? []);
}

describe("completions", () => {
  for (const [text, offered] of [
    ["They are blobs.|", []],
    ["An example: `blobs.|`", []],
    [`It's \${1} of the blobs.|`, []],
    [`It's \${blobs.|}`, ["toExponential"]],
    [`It's \${bl|`, ["blobs", "run"]],
    [`\${{a: "}"}.a + run.|}`, ["target"]],
    [`Unfinished \${blobs\n\nNow run.|`, []],
  ] as const) {
    it(`in the Markdown ${JSON.stringify(text)} are ${offered.join(", ") || "none"}`, () => {
      assert.deepEqual(offeredAt(text, "markdown"), offered);
    });
  }

  for (const [text, offered] of [
    ["const a = blobs.|", ["toExponential"]],
    ["const a = 1; // of the blobs.|", []],
    ["/* blobs.| */", []],
    ['const a = "of the blobs.|"', []],
    ['Plot.dot(parameters, {x: "cen|"})', ["center_x"]],
    [`const a = \`\${blobs.|}\``, ["toExponential"]],
  ] as const) {
    it(`in the JavaScript ${JSON.stringify(text)} are ${offered.join(", ") || "none"}`, () => {
      assert.deepEqual(offeredAt(text, "javascript"), offered);
    });
  }
});
