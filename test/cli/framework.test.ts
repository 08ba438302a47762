import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "vitest";
import { cellErrors } from "../../src/cli/framework.js";

it("cellErrors() finds the cells that do not parse, with page and message", () => {
  const site = mkdtempSync(join(tmpdir(), "splatbook-"));
  try {
    mkdirSync(join(site, "learn"));
    writeFileSync(join(site, "index.html"), "<p>good</p>");
    // As Framework writes them, a block and an inline expression.
    writeFileSync(
      join(site, "learn", "sort.html"),
      `<div class="observablehq--inspect observablehq--error">SyntaxError: Unexpected token (1:10)</div>
      <span class="observablehq--inspect observablehq--error" style="display: block;">SyntaxError: no end</span>`,
    );
    writeFileSync(join(site, "client.js"), '"observablehq--error"');
    assert.deepEqual(cellErrors(site), [
      "learn/sort.html: SyntaxError: Unexpected token (1:10)",
      "learn/sort.html: SyntaxError: no end",
    ]);
  } finally {
    rmSync(site, { recursive: true });
  }
});
