import type { Reporter, TestModule, TestSuite } from "vitest/node";

import { deno } from "./deno.js";
import { hasRedis } from "./redis.js";

/** Ends a run with `N passed, N failed`, behind a line of what was left out; what fails outside of a test, such as a hook or a module, counts as one. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const suites = modules.flatMap((module): (TestModule | TestSuite)[] => [module, ...module.children.allSuites()]);
    const passed = tests.filter((test) => test.result().state === "passed").length;
    const failed = tests.filter((test) => test.result().state === "failed").length;
    const broken = suites.filter((suite) => suite.errors().length > 0).length;
    const leftOut = tests.filter((test) => test.result().state === "skipped").length;
    if (leftOut > 0 && !hasRedis) console.log("Left out, since redis-server is not installed: the tests of workers.");
    if (leftOut > 0 && !deno) console.log("Left out, since npm has no Deno for this platform: the tests on wgpu.");
    // The default reporter prints its summary as the run ends, too.
    process.once("exit", () => console.log(`${passed} passed, ${failed + broken + unhandledErrors.length} failed`));
  }
}
