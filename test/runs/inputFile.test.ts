import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "vitest";
import { readText } from "../../src/runs/inputFile.js";

it("readText() drops a byte order mark", async () => {
  const folder = mkdtempSync(join(tmpdir(), "splatbook-"));
  writeFileSync(join(folder, "config.json"), '\ufeff{"blobs": 5}');
  assert.deepEqual(JSON.parse(await readText(join(folder, "config.json"))), { blobs: 5 });
  rmSync(folder, { recursive: true });
});
