import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with `N passed, N failed`; what failed outside of a test counts as one that failed. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === "passed").length;
    const failed = tests.filter((test) => test.result().state === "failed").length;
    const brokenModules = modules.filter((module) => module.errors().length > 0).length;
    // The default reporter prints its summary as the run ends, too.
    process.once("exit", () =>
      console.log(`${passed} passed, ${failed + brokenModules + unhandledErrors.length} failed`),
    );
  }
}
