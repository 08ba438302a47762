import { defineConfig } from "vitest/config";
import ProjectSequencer from "./test/support/sequencer.js";

// What hangs is ended, minutes away; how fast a machine is decides nothing.
const deadline = 5 * 60_000;

/** What all projects share. A worker keeps its modules from file to file, and with them its device and its kernels. */
const shared = {
  isolate: false,
  maxConcurrency: 2,
  testTimeout: deadline,
  hookTimeout: deadline,
};

export default defineConfig({
  test: {
    maxWorkers: 3,
    sequence: { sequencer: ProjectSequencer },
    reporters: ["default", "./test/support/countReporter.ts"],
    projects: [
      {
        test: {
          ...shared,
          name: "adapter",
          include: ["test/**/*.gpu.test.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "pages",
          include: ["test/pages/**/*.test.ts", "test/**/*.page.test.ts"],
          setupFiles: "test/support/closePages.ts",
          globalSetup: "test/support/pagesSetup.ts",
        },
      },
      {
        test: {
          ...shared,
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/pages/**", "**/*.{gpu,page}.test.ts"],
        },
      },
    ],
  },
});
