// The page of `splatbook view`: all runs of a folder, or with the parameter `run` one of them.
// First, since htl makes HTML from text, which needs the default policy.
import "../../host/browser/trustedTypes.js";
import { html } from "htl";
import { updateWhileShown } from "../../components/training/follow.js";
import { fitPaper } from "../onPaper.js";
import { LiveRuns } from "./liveRuns.js";
import { runList } from "./runList.js";
import { runPage } from "./runPage.js";

const main = document.getElementById("observablehq-main")!;
const asked = new URLSearchParams(location.search);
const lost = html`<p class="view-lost" role="alert" hidden>The command splatbook view has ended or cannot be reached. The page shows what it last reported.</p>`;
fitPaper(main);
main.replaceChildren(lost);
const runs = new LiveRuns();
void updateWhileShown(runs, lost, () => {
  lost.hidden = !runs.isLost;
});
while (runs.root === undefined) await runs.changed;
const isSingle = runs.byPath.size === 1 && runs.byPath.has(".");
const path = asked.get("run") ?? (isSingle ? "." : undefined);
main.append(path === undefined ? runList(runs) : runPage(runs, path, !isSingle, asked.get("step")));
