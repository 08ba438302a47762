import { html } from "htl";
import { adapterName, count, counted, decibels } from "../components/page/format.js";
import type { RecordedRun } from "../engine/files/recordedRun.js";
import { psnrOf } from "./summary.js";

/** Returns cards of the recorded runs, with links to their reports. */
export function runIndex(runs: readonly RecordedRun[]): HTMLElement {
  if (runs.length === 0) return html`<p>There are no recorded runs yet.</p>`;
  return html`<ol aria-label="Recorded runs" class="grid grid-cols-3">${runs.map(cardOf)}</ol>`;
}

function cardOf({ name, thumbnail, sweptRuns, description }: RecordedRun): HTMLElement {
  const { config, image, step, result, adapter, timings } = description;
  return html`<li class="card row">
    <img src=${thumbnail} alt="" width="96" height="96">
    <div>
      <h2><a href=${`./${name}.html`}>${name}</a></h2>
      <p><b>${decibels(psnrOf(result))}</b> with ${counted(config.blobs, "blob")}${sweptRuns && `, best of ${counted(sweptRuns, "run")}`}</p>
      <p>${image.name}, ${image.width} × ${image.height}, ${count(step)} steps of ${config.preset}, ${adapterName(adapter)}, <time>${timings.finishedAt.slice(0, 10)}</time></p>
    </div>
  </li>`;
}
