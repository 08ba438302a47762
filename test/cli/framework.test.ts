import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { pagesWithErrors } from "../../src/cli/framework.js";
import { builtSite } from "../support/site.js";

it("pagesWithErrors() finds the pages with a cell that does not parse, and no others", () => {
  const site = mkdtempSync(join(tmpdir(), "splatbook-"));
  try {
    mkdirSync(join(site, "learn"));
    writeFileSync(join(site, "index.html"), "<p>good</p>");
    writeFileSync(join(site, "learn", "sort.html"), '<div class="observablehq observablehq--error">SyntaxError</div>');
    writeFileSync(join(site, "client.js"), "observablehq--error");
    assert.deepEqual(pagesWithErrors(site), [join("learn", "sort.html")]);
  } finally {
    rmSync(site, { recursive: true });
  }
});

it("the site builds, and none of its pages has a cell that does not parse", async () => {
  assert.deepEqual(pagesWithErrors(await builtSite()), []);
});
