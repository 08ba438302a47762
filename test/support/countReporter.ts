import type { Reporter, TestModule, TestSuite } from "vitest/node";

/** Ends a run with `N passed, N failed`; what fails outside of a test, such as a hook or a module, counts as one. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const suites = modules.flatMap((module): (TestModule | TestSuite)[] => [module, ...module.children.allSuites()]);
    const passed = tests.filter((test) => test.result().state === "passed").length;
    const failed = tests.filter((test) => test.result().state === "failed").length;
    const broken = suites.filter((suite) => suite.errors().length > 0).length;
    // The default reporter prints its summary as the run ends, too.
    process.once("exit", () => console.log(`${passed} passed, ${failed + broken + unhandledErrors.length} failed`));
  }
}
