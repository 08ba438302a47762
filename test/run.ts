// `npm test [-- FILTER...]`: runs the test files whose path contains one of the filters, or all of them, each in a
// process of its own. The last line is `N passed, N failed`, from the runner's own counts.
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const filters = process.argv.slice(2);
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => join(folder, file))
  .filter((file) => filters.length === 0 || filters.some((filter) => pathOf(file).includes(filter)))
  .sort();

if (files.length === 0) {
  console.error(`No test file's path contains ${filters.map((filter) => `"${filter}"`).join(" or ")}.`);
  process.exitCode = 1;
} else {
  const counts = { pass: 0, fail: 0, cancelled: 0 };
  const events = run({ files, concurrency: 2, timeout: 10 * 60_000 });
  events.on("test:diagnostic", ({ nesting, message }) => {
    // The runner's summary: lines such as "pass 12".
    const [, name, count] = /^(\w+) (\d+)$/.exec(message) ?? [];
    if (nesting === 0 && name in counts) counts[name as keyof typeof counts] = Number(count);
  });
  const report = events.compose(new spec());
  report.pipe(process.stdout, { end: false });
  await finished(report);
  const failed = counts.fail + counts.cancelled;
  console.log(`${counts.pass} passed, ${failed} failed`);
  if (failed > 0 || counts.pass === 0) process.exitCode = 1;
}

function pathOf(file: string): string {
  return relative(join(folder, ".."), file).replaceAll("\\", "/");
}
