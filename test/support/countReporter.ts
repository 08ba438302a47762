import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";
import { missingBrowsers } from "../browsers/drivers.js";
// Installs Deno before the tests start.
import { deno } from "./deno.js";
import { hasRedis } from "./redis.js";

/**
 * Prints skipped groups, a line for each failure, and `N passed, N failed` at the end. A failure outside of a test, such as
 * in a hook, counts as one.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const suites = modules.flatMap((module): (TestModule | TestSuite)[] => [module, ...module.children.allSuites()]);
    const passed = tests.filter((test) => test.result().state === "passed").length;
    const failures = [
      ...suites.filter((suite) => suite.errors().length > 0).map((suite) => failure(suite, suite.errors())),
      ...tests.filter((test) => test.result().state === "failed").map((test) => failure(test, test.result().errors)),
      ...unhandledErrors.map((error) => `Failed outside of tests: ${firstLine(error)}`),
    ];
    const leftOut = modules.filter(({ children }) => [...children.allTests("skipped")].length > 0);
    const projects = new Set(leftOut.map(({ project }) => project.name));
    if (projects.has("browsers")) for (const sentence of missingBrowsers()) console.log(sentence);
    if (projects.has("node") && !hasRedis)
      console.log("Skipped: tests of workers, since redis-server is not installed.");
    if (leftOut.length > 0 && !deno) console.log("Skipped: tests on wgpu, since npm has no Deno for this platform.");
    // After the summary of the default reporter.
    process.once("exit", () => {
      for (const line of failures) console.log(line);
      console.log(`${passed} passed, ${failures.length} failed`);
    });
  }
}

function failure(item: TestModule | TestSuite | TestCase, [error]: readonly unknown[] = []): string {
  const module = item.type === "module" ? item : item.module;
  const title = item.type === "module" ? "" : ` > ${item.fullName}`;
  return `Failed: ${module.relativeModuleId}${title}: ${firstLine(error)}`;
}

function firstLine(error: unknown): string {
  return String((error as Error | undefined)?.message ?? error).split("\n")[0];
}
