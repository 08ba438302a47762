import { defineConfig } from "vitest/config";
import ProjectSequencer from "./test/support/sequencer.js";

if (/[#?]/.test(import.meta.dirname)) {
  // Vite cuts the paths of modules at these characters.
  console.error(`The tests cannot run in ${import.meta.dirname}, since Vite cuts paths at # and ?. Move the checkout.`);
  process.exit(1);
}

// What hangs is ended, minutes away; how fast a machine is decides nothing.
const deadline = 5 * 60_000;

/** What all projects share. A worker keeps its modules from file to file, and with them its device and its browser. */
const shared = { isolate: false, testTimeout: deadline, hookTimeout: deadline };

/** Two, since each imports the modules again, and the site's build and the browser are busy beside them. */
const atOnce = { ...shared, sequence: { groupOrder: 0 }, maxWorkers: 2 };

const inBrowser = {
  ...atOnce,
  globalSetup: ["test/support/pagesSetup.ts"],
  setupFiles: "test/support/closePages.ts",
};

const withDeno = { globalSetup: "test/support/deno.ts" };

const inPages = ["test/all/pages/**/*.test.ts", "test/all/**/*.page.test.ts"];
const inBrowsers = ["test/all/browsers/**/*.test.ts"];
const inGpu = ["test/all/**/*.gpu.test.ts"];

// `npm test` runs the first three, `npm run test:all` all of them.
export default defineConfig({
  test: {
    sequence: { sequencer: ProjectSequencer },
    // Projects share what is transformed, and so do later runs.
    experimental: { fsModuleCache: true },
    reporters: ["default", "./test/support/countReporter.ts"],
    projects: [
      { test: { ...inBrowser, name: "journeys", include: ["test/journeys/**/*.test.ts"] } },
      { test: { ...atOnce, name: "gpu", include: ["test/gpu/**/*.test.ts"] } },
      {
        test: {
          ...atOnce,
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/{gpu,journeys,all}/**"],
        },
      },
      { test: { ...atOnce, name: "all-gpu", include: inGpu, ...withDeno } },
      { test: { ...inBrowser, name: "all-pages", include: inPages } },
      {
        test: {
          ...atOnce,
          ...withDeno,
          name: "all-node",
          include: ["test/all/**/*.test.ts"],
          exclude: [...inPages, ...inBrowsers, ...inGpu],
        },
      },
      {
        test: {
          ...shared,
          name: "browsers",
          include: inBrowsers,
          // Firefox is driven through a web socket, which Node 20 has behind this flag.
          execArgv: ["--experimental-websocket"],
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
        },
      },
    ],
  },
});
