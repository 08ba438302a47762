// The page of `splatbook view`: all runs of a folder, or with the parameter `run` one of them.
// First, since htl makes HTML from text, which needs the default policy.
import "../../host/browser/trustedTypes.js";
import { html } from "htl";
import type { LiveRun, RunChange } from "../../engine/files/liveRun.js";
import { fitPaper } from "../onPaper.js";
import { followRuns } from "./followRuns.js";
import { runList } from "./runList.js";
import { runPage } from "./runPage.js";

const main = document.getElementById("observablehq-main")!;
const asked = new URLSearchParams(location.search);
const lost = html`<p class="view-lost" role="alert" hidden>The command splatbook view has ended or cannot be reached. The page shows what it last reported.</p>`;
const runs = new Map<string, LiveRun>();
let page: ReturnType<typeof runPage | typeof runList> | undefined;

/** Fetches all runs. */
async function reload(): Promise<void> {
  const response = await fetch("runs.json").catch(() => undefined);
  lost.hidden = response?.ok === true;
  if (!response?.ok) return;
  const all: { root: string; runs: LiveRun[] } = await response.json();
  runs.clear();
  for (const run of all.runs) runs.set(run.path, run);
  const only = runs.size === 1 && runs.has(".") ? "." : undefined;
  const path = asked.get("run") ?? only;
  page ??= path === undefined ? runList(all.root) : runPage(path, only === undefined, asked.get("step"));
  if (!page.isConnected) main.replaceChildren(lost, page);
  show();
}

/** Shows the runs, or waits until the page is visible. */
function show(): void {
  if (!document.hidden) page?.show(runs);
}

function change(run: RunChange): void {
  if ("removed" in run) runs.delete(run.path);
  else runs.set(run.path, run);
  show();
}

fitPaper(main);
document.addEventListener("visibilitychange", show);
followRuns(
  change,
  () => void reload(),
  () => {
    lost.hidden = false;
  },
);
await reload();
