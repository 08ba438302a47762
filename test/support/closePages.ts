import assert from "node:assert/strict";
import { afterAll } from "vitest";
import { violations } from "./browser.js";
import { openBrowser } from "./pages.js";

// A page that nobody looks at any more would go on training. Whatever else a file tests, no page may do what its policy
// forbids.
afterAll(async () => {
  for (const context of (await openBrowser()).contexts()) await context.close();
  assert.deepEqual(violations.splice(0), []);
});
