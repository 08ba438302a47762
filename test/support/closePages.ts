import assert from "node:assert/strict";
import { afterAll } from "vitest";
import { violations, watchedPages } from "./browser.js";
import { startedBrowser } from "./pages.js";

// Open pages would keep training. In every test file, pages must respect their policy, log no error or warning, and
// request nothing from other machines.
afterAll(async () => {
  for (const context of (await startedBrowser())?.contexts() ?? []) await context.close();
  assert.deepEqual(violations.splice(0), []);
  const unexpected = watchedPages
    .splice(0)
    .flatMap(({ complaints, foreignRequests }) => [...complaints, ...foreignRequests]);
  assert.deepEqual(unexpected, []);
});
