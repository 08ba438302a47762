import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, vi } from "vitest";
import { cellErrors, replaceFolder } from "../../src/site/framework.js";
import { temporaryFolder } from "../cli/command.js";

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

it("replaceFolder() replaces a folder only by one that could be made, and names the one that it keeps", async () => {
  const folder = temporaryFolder();
  const site = join(folder, "dist");
  const make = (text: string, code: number) => (made: string) => {
    mkdirSync(made);
    writeFileSync(join(made, "index.html"), text);
    return code === 2 ? Promise.reject(new Error("no disk")) : Promise.resolve(code);
  };
  const messages: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => messages.push(String(text)) > 0);
  try {
    assert.equal(await replaceFolder(site, make("first", 130)), 130);
    assert.equal(await replaceFolder(site, make("second", 0)), 0);
    assert.equal(await replaceFolder(site, make("third", 0)), 0);
    assert.equal(await replaceFolder(site, make("fourth", 1)), 1);
    await assert.rejects(replaceFolder(site, make("fifth", 2)), /no disk/);
  } finally {
    write.mockRestore();
  }
  assert.equal(readFileSync(join(site, "index.html"), "utf8"), "third");
  assert.deepEqual(readdirSync(folder), ["dist"]);
  const kept = `The build failed. ${site} keeps the site of the last build.\n`;
  assert.deepEqual(messages, [`The build failed. There is no earlier site in ${site}.\n`, kept, kept]);
});
