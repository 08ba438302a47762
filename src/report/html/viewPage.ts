import { count, counted, decibels } from "../../components/page/format.js";
import { changedFields, completeConfig, type TrainConfig } from "../../engine/config.js";
import { hasDiverged, type ListedRun } from "../../engine/files/liveRun.js";
import { regionProgress } from "../../engine/files/runDescription.js";
import { valueText } from "../details.js";
import { psnrOf } from "../summary.js";
import { escapeHtml } from "./escapeHtml.js";

const style = `
.view-head { display: flex; flex-wrap: wrap; gap: 0 1rem; margin-top: 1rem; font: 14px/1.5 var(--sans-serif); }
.view-head [hidden] { display: none; }
.live-state.is-running { color: var(--current); }
.live-state.is-failed { color: var(--overflow); }
@media print { .view-head { display: none; } }`;

/**
 * Returns the HTML above a report, or above the table of runs if no path is given.
 * @param stamp the ETag of the page
 * @param path of the run
 */
export function viewHead(stamp: string, path?: string, run?: ListedRun): string {
  const hasOthers = path !== undefined && path !== ".";
  return `<style>${style}</style><nav class="view-head" id="view-head" data-stamp="${escapeHtml(stamp)}">
${hasOthers ? `<a href="./">All runs</a>` : ""}${run ? stateText(run) : ""}
<span id="view-lost" role="alert" hidden>The command splatbook view has ended or cannot be reached.</span></nav>`;
}

/** Returns a table of runs, with links to their reports. */
export function runTable(root: string, runs: readonly ListedRun[]): string {
  const fields = shownSettings(runs);
  const head = (className: string) => (name: string) => `<th scope="col" class="${className}">${name}</th>`;
  const texts = ["run", "", "state"].map(head("text"));
  const heads = [
    ...texts,
    ...["step", "PSNR"].map(head("number")),
    head("text")("image"),
    ...fields.map(head("number")),
  ];
  return `<h1>Runs</h1>
<p>${counted(runs.length, "run")} in ${escapeHtml(root)}. The table follows each checkpoint.</p>
<div class="card"><div class="wide" tabindex="0" role="region" aria-label="Runs, scrolls sideways">
<table id="runs" aria-label="Runs"><thead><tr>${heads.join("")}</tr></thead>
<tbody>${runs.map((run) => rowOf(run, fields)).join("\n")}</tbody></table></div></div>`;
}

function rowOf(run: ListedRun, fields: readonly (keyof TrainConfig)[]): string {
  const { path, description, stamp, error } = run;
  const address = (page: string, parameters: Record<string, string>) =>
    escapeHtml(`${page}?${new URLSearchParams({ run: path, ...parameters })}`);
  // Runs in regions have no report.
  const hasReport = description && !description.regions;
  const name = escapeHtml(path === "." ? "This run" : path);
  const link = hasReport ? `<a href="${address("", {})}">${name}</a>` : name;
  const image =
    description && `<img src="${address("render", { stamp })}" alt="" width="72" height="72" loading="lazy">`;
  const text = (value = "", isNumber = true) => `<td${isNumber ? ' class="number"' : ""}>${escapeHtml(value)}</td>`;
  const step = description?.regions && description.step === 0 ? regionProgress(description.regions) : undefined;
  return `<tr><th scope="row">${link}</th><td>${image ?? ""}</td>
<td>${stateText(run)}${error ? `<br>${escapeHtml(error)}` : ""}</td>
${text(step ?? (description && count(description.step)))}${text(description && decibels(psnrOf(description.result)))}
${text(description?.image.name, false)}${fields.map((field) => text(description && valueText(description.config[field]))).join("")}</tr>`;
}

/** Returns blobs and steps, and the settings in which runs differ, unless all have those from their presets. */
function shownSettings(runs: readonly ListedRun[]): (keyof TrainConfig)[] {
  const configs = runs.flatMap(({ description }) => (description ? [description.config] : []));
  const changed = configs.flatMap((config) =>
    Object.keys(changedFields(config, completeConfig({ preset: config.preset }))),
  );
  const different = ["preset", ...(changed as (keyof TrainConfig)[])].filter(
    (field) => new Set(configs.map((config) => String(config[field as keyof TrainConfig]))).size > 1,
  );
  return [...new Set(["blobs", "steps", ...different] as (keyof TrainConfig)[])];
}

/** Returns a run's state as HTML. */
function stateText({ state, description }: ListedRun): string {
  const words = { running: "training", stopped: "stopped", failed: "ended without saving", finished: "finished" };
  const isDiverged = state === "failed" && description !== undefined && hasDiverged(description);
  return `<span class="live-state is-${state}">${isDiverged ? "diverged" : words[state]}</span>`;
}
