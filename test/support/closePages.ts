import assert from "node:assert/strict";
import { afterAll } from "vitest";
import { violations } from "./browser.js";
import { startedBrowser } from "./pages.js";

// Open pages would keep training. In every test file, pages must respect their policy.
afterAll(async () => {
  for (const context of (await startedBrowser())?.contexts() ?? []) await context.close();
  assert.deepEqual(violations.splice(0), []);
});
