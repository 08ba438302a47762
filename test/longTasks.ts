// `node --import tsx test/longTasks.ts [ADDRESS...]`: trains in a headless browser while somebody types, scrolls and
// points, and prints the longest tasks of the page's own thread, from a trace of the browser: their CPU time, which
// other load on the machine does not stretch, their time by the wall, and what they did. Until the first step and after
// it are told apart, since the first step waits for the kernels to be compiled. SITE=FOLDER takes another built site.
import { setTimeout } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { launchBrowser, openPage } from "./support/browser.js";
import { serve } from "./support/server.js";
import { builtSite } from "./support/site.js";

const jobs = [
  // On the software adapter: small, since it takes its time; and one that begins by gradient and grows.
  "/?blobs=64&steps=1000000&size=32&pipeline=binned&tile=8x8&gaussiansPerBlock=64",
  "/?preset=quality&pipeline=binned&blobs=4000&steps=12&size=512",
  // The CPU engine, with a page as full as on a GPU.
  "/?engine=cpu&pipeline=cpu&picture=astronaut&size=512&blobs=40960&steps=1000000",
  "/?engine=cpu&pipeline=cpu&preset=quality&picture=astronaut&size=512&blobs=40960&steps=40",
];
const seconds = Number(process.env.SECONDS ?? 20);
const shown = 6;

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  /** By the wall. */
  dur?: number;
  /** Of the CPU. */
  tdur?: number;
  args?: { data?: { functionName?: string; type?: string } };
}

async function trace(browser: Browser, address: string): Promise<{ events: TraceEvent[]; step: string }> {
  const categories = ["toplevel", "devtools.timeline", "v8", "blink.user_timing"];
  await browser.startTracing(undefined, { categories });
  const { page, complaints } = await openPage(browser, address);
  await page.locator('.run-bar:is([data-state="running"], [data-state="done"])').waitFor({ timeout: 300_000 });
  await page.evaluate('performance.mark("first step")');
  const end = Date.now() + 1000 * seconds;
  const height = Number(await page.evaluate("document.body.scrollHeight"));
  const field = page.getByLabel("Learning rate", { exact: true });
  for (let turn = 0; Date.now() < end; turn++) {
    await page.mouse.move(300 + ((37 * turn) % 600), 200 + ((53 * turn) % 500));
    await page.mouse.wheel(0, (turn % 40 < 20 ? height : -height) / 20);
    // A number that is not whole yet changes nothing.
    if (turn % 40 === 39) await field.pressSequentially("0".repeat(5), { delay: 30 });
    await setTimeout(100);
  }
  await page.evaluate('performance.mark("end")');
  const step = await page.locator(".run-bar dd").first().innerText();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8"));
  await page.context().close();
  for (const complaint of complaints) console.log(complaint);
  return { events: traceEvents, step };
}

function tell(name: string, tasks: TraceEvent[], thread: TraceEvent[]): void {
  const milliseconds = (time = Number.NaN) => Math.round(time / 1000);
  console.log(`  ${name}: ${tasks.length} tasks, by CPU time (by the wall):`);
  const longest = tasks.toSorted((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0)).slice(0, shown);
  for (const task of longest) {
    const inside = thread
      .filter(({ ts, dur = 0 }) => ts >= task.ts && ts + dur <= task.ts + task.dur! && dur > 0.2 * task.dur!)
      .filter(({ name }) => !/RunTask|callFunction|V8.Execute|RunMicrotasks/.test(name))
      .sort((a, b) => b.dur! - a.dur!)
      .slice(0, 4)
      .map(({ name, args }) => [name, args?.data?.functionName ?? args?.data?.type ?? ""].join(" ").trim());
    console.log(`    ${milliseconds(task.tdur)} ms (${milliseconds(task.dur)}) ${inside.join(", ")}`);
  }
}

const server = await serve(process.env.SITE ?? (await builtSite()));
const browser = await launchBrowser();
try {
  for (const address of process.argv.length > 2 ? process.argv.slice(2) : jobs) {
    const { events, step } = await trace(browser, server.origin + address);
    const [first, end] = ["first step", "end"].map((mark) => events.find(({ name }) => name === mark)!);
    const thread = events.filter(({ pid, tid, dur }) => pid === first.pid && tid === first.tid && dur !== undefined);
    const tasks = thread.filter(({ name, ts }) => name === "ThreadControllerImpl::RunTask" && ts < end.ts);
    console.log(`${address}: step ${step}`);
    tell(
      "until the first step",
      tasks.filter(({ ts }) => ts < first.ts),
      thread,
    );
    tell(
      "after it",
      tasks.filter(({ ts }) => ts >= first.ts),
      thread,
    );
  }
} finally {
  await browser.close();
  await server.close();
}
