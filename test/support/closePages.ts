import { afterAll } from "vitest";
import { openBrowser } from "./pages.js";

// A page that nobody looks at any more would go on training.
afterAll(async () => {
  for (const context of (await openBrowser()).contexts()) await context.close();
});
