import type { Reporter, TestModule, TestSuite } from "vitest/node";
import { missingBrowsers } from "../browsers/drivers.js";
import { deno } from "./deno.js";
import { hasRedis } from "./redis.js";

/** Prints `N passed, N failed` at the end, after skipped groups. A failure outside of a test, such as in a hook, counts as one. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const suites = modules.flatMap((module): (TestModule | TestSuite)[] => [module, ...module.children.allSuites()]);
    const passed = tests.filter((test) => test.result().state === "passed").length;
    const failed = tests.filter((test) => test.result().state === "failed").length;
    const broken = suites.filter((suite) => suite.errors().length > 0).length;
    const leftOut = modules.filter(({ children }) => [...children.allTests("skipped")].length > 0);
    const projects = new Set(leftOut.map(({ project }) => project.name));
    if (projects.has("browsers")) for (const sentence of missingBrowsers()) console.log(sentence);
    if (projects.has("node") && !hasRedis)
      console.log("Skipped: tests of workers, since redis-server is not installed.");
    if (leftOut.length > 0 && !deno) console.log("Skipped: tests on wgpu, since npm has no Deno for this platform.");
    // After the summary of the default reporter.
    process.once("exit", () => console.log(`${passed} passed, ${failed + broken + unhandledErrors.length} failed`));
  }
}
