import type { Browser, Page } from "playwright-core";

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  /** Wall time. */
  dur?: number;
  /** CPU time. */
  tdur?: number;
  args?: { data?: { functionName?: string; type?: string } };
}

/** Number of tasks to print. */
const taskLimit = 6;

/** Starts recording a trace of the browser. */
export async function startTrace(browser: Browser): Promise<void> {
  const categories = ["toplevel", "devtools.timeline", "v8", "blink.user_timing"];
  await browser.startTracing(undefined, { categories });
}

/** Begins a section of the recording. */
export async function markSection(page: Page, name: string): Promise<void> {
  await page.evaluate((name) => performance.mark(name), name);
}

/**
 * Ends the recording, and prints the longest tasks of the page's main thread in each section: CPU time, which does not
 * depend on other load of the machine, and wall time.
 * @param sections names in order; the last one marks the end
 */
export async function printTasks(browser: Browser, sections: string[]): Promise<void> {
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8")) as { traceEvents: TraceEvent[] };
  const marks = sections.map((section) => traceEvents.find(({ name }) => name === section)!);
  const { pid, tid } = marks[0];
  const thread = traceEvents.filter((event) => event.pid === pid && event.tid === tid && event.dur !== undefined);
  const tasks = thread.filter(({ name }) => name === "ThreadControllerImpl::RunTask");
  for (const [i, { name, ts }] of marks.slice(0, -1).entries()) {
    printLongest(
      name,
      tasks.filter((task) => task.ts >= ts && task.ts < marks[i + 1].ts),
      thread,
    );
  }
}

function printLongest(name: string, tasks: TraceEvent[], thread: TraceEvent[]): void {
  const milliseconds = (time = Number.NaN) => Math.round(time / 1000);
  console.log(`  ${name}: ${tasks.length} tasks, by CPU time (wall time):`);
  const longest = tasks.toSorted((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0)).slice(0, taskLimit);
  for (const task of longest) {
    const callNames = thread
      .filter(({ ts, dur = 0 }) => ts >= task.ts && ts + dur <= task.ts + task.dur! && dur > 0.2 * task.dur!)
      .filter(({ name }) => !/RunTask|callFunction|V8.Execute|RunMicrotasks/.test(name))
      .sort((a, b) => b.dur! - a.dur!)
      .slice(0, 4)
      .map(({ name, args }) => [name, args?.data?.functionName ?? args?.data?.type ?? ""].join(" ").trim());
    console.log(`    ${milliseconds(task.tdur)} ms (${milliseconds(task.dur)}) ${callNames.join(", ")}`);
  }
}
