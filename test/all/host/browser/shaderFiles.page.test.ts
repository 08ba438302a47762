import assert from "node:assert/strict";
import { it } from "vitest";
import { readMarkedShaders } from "../../../../src/host/node/shaderFiles.js";
import { openPage } from "../../../support/pages.js";

it("the site has all kernels of shaders/ by path, in one file", async () => {
  const { page } = await openPage("/learn/");
  const names = await page.evaluate("fetch('/').then((home) => home.text())");
  const [path] = String(names).match(/_file\/shaders\.[0-9a-f]+\.json/) ?? [];
  assert.ok(path);
  const files = await page.evaluate((path) => fetch(`/${path}`).then((file) => file.json()), path);
  assert.deepEqual(new Map(files), await readMarkedShaders("shaders"));
  await page.context().close();
});
