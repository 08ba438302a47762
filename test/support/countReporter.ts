import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";

/**
 * Prints skipped groups, a line for each failure, and `N passed, N failed` at the end. A failure outside of a test, such as
 * in a hook, counts as one.
 */
export default class CountReporter implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): Promise<void> {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const suites = modules.flatMap((module): (TestModule | TestSuite)[] => [module, ...module.children.allSuites()]);
    const passed = tests.filter((test) => test.result().state === "passed").length;
    const failures = [
      ...suites.filter((suite) => suite.errors().length > 0).map((suite) => failure(suite, suite.errors())),
      ...tests.filter((test) => test.result().state === "failed").map((test) => failure(test, test.result().errors)),
      ...unhandledErrors.map((error) => `Failed outside of tests: ${firstLine(error)}`),
    ];
    const leftOut = modules.filter(({ children }) => [...children.allTests("skipped")].length > 0);
    for (const sentence of await reasonsFor(new Set(leftOut.map(({ project }) => project.name)))) console.log(sentence);
    // After the summary of the default reporter.
    process.once("exit", () => {
      for (const line of failures) console.log(line);
      console.log(`${passed} passed, ${failures.length} failed`);
    });
  }
}

/** Returns a sentence for each part of this machine without which tests were skipped. */
async function reasonsFor(projects: ReadonlySet<string>): Promise<string[]> {
  if (projects.size === 0) return [];
  const { missingBrowsers } = await import("../all/browsers/drivers.js");
  const { hasRedis } = await import("./redis.js");
  const { deno } = await import("./deno.js");
  return [
    ...(projects.has("browsers") ? missingBrowsers() : []),
    ...(hasRedis ? [] : ["Skipped: tests of workers, since redis-server is not installed."]),
    ...(deno() ? [] : ["Skipped: tests on wgpu, since npm has no Deno for this platform."]),
  ];
}

function failure(item: TestModule | TestSuite | TestCase, [error]: readonly unknown[] = []): string {
  const module = item.type === "module" ? item : item.module;
  const title = item.type === "module" ? "" : ` > ${item.fullName}`;
  return `Failed: ${module.relativeModuleId}${title}: ${firstLine(error)}`;
}

function firstLine(error: unknown): string {
  return String((error as Error | undefined)?.message ?? error).split("\n")[0];
}
