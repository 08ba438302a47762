import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, vi } from "vitest";
import { cellErrors, replaceFolder } from "../../src/site/framework.js";
import { temporaryFolder } from "../cli/command.js";
import { isCurrent } from "../support/site.js";

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

it("isCurrent() detects edited, added, moved and deleted sources", () => {
  const folder = temporaryFolder();
  const [site, pages, deep] = ["dist", "src", "src/learn"].map((name) => join(folder, name));
  const built = () => {
    for (const path of [join(deep, "a.md"), join(deep, "b.md"), deep, pages]) utimesSync(path, 100, 100);
    utimesSync(site, 200, 200);
  };
  const current = () => isCurrent(site, [pages]);
  mkdirSync(deep, { recursive: true });
  for (const name of ["a.md", "b.md"]) writeFileSync(join(deep, name), name);
  assert.ok(!current(), "no site");
  mkdirSync(site);
  built();
  assert.ok(current());
  utimesSync(join(deep, "a.md"), 300, 300);
  assert.ok(!current(), "a file is newer");
  built();
  renameSync(join(deep, "b.md"), join(deep, "a.md"));
  assert.ok(!current(), "an old file replaced another one");
  writeFileSync(join(deep, "b.md"), "again");
  built();
  assert.ok(!isCurrent(site, [pages, join(folder, "gone")]), "a source is missing");
});
