import { defineConfig } from "vitest/config";
import ProjectSequencer from "./test/support/sequencer.js";

// What hangs is ended, minutes away; how fast a machine is decides nothing.
const deadline = 5 * 60_000;

/** What all projects share. A worker keeps its modules from file to file, and with them its device and its browser. */
const shared = { isolate: false, testTimeout: deadline, hookTimeout: deadline };

export default defineConfig({
  test: {
    sequence: { sequencer: ProjectSequencer },
    reporters: ["default", "./test/support/countReporter.ts"],
    projects: [
      {
        test: {
          ...shared,
          name: "adapter",
          include: ["test/**/*.gpu.test.ts"],
          // Few workers, since each compiles every kernel. The site is built at the same time.
          sequence: { groupOrder: 0 },
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...shared,
          name: "pages",
          include: ["test/pages/**/*.test.ts", "test/**/*.page.test.ts"],
          globalSetup: "test/support/pagesSetup.ts",
          setupFiles: "test/support/closePages.ts",
          sequence: { groupOrder: 1 },
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...shared,
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/{pages,browsers}/**", "**/*.{gpu,page}.test.ts"],
          sequence: { groupOrder: 1 },
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...shared,
          name: "browsers",
          include: ["test/browsers/**/*.test.ts"],
          // Firefox is driven through a web socket, which Node 20 has behind this flag.
          execArgv: ["--experimental-websocket"],
          sequence: { groupOrder: 2 },
          maxWorkers: 1,
        },
      },
    ],
  },
});
