import { html } from "htl";
import { count, counted, decibels, secondsCount } from "../../components/page/format.js";
import { updateWhileShown } from "../../components/training/follow.js";
import type { TrainConfig } from "../../engine/config.js";
import type { LiveRun } from "../../engine/files/liveRun.js";
import { frameFile, runFiles } from "../../engine/files/runFiles.js";
import { valueText } from "../settings.js";
import { type Column, numberColumn, sortedTable, textColumn } from "../sortedTable.js";
import { psnrOf } from "../summary.js";
import { fileAddress, nameOf, pageAddress } from "./addresses.js";
import type { LiveRuns } from "./liveRuns.js";
import { progressText } from "./progress.js";
import { runFilter } from "./runFilter.js";

const formatDate = (time: string) =>
  new Date(time).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "medium" });

const numberOf = (
  head: string,
  value: (d: NonNullable<LiveRun["description"]>) => number,
  text: (n: number) => string,
) => numberColumn<LiveRun>(head, ({ description }) => (description ? value(description) : Number.NaN), text);

const firstColumns: Column<LiveRun>[] = [
  {
    head: "state",
    sortKey: (run) => run.state,
    text: (run) => html`<span class=${`live-state is-${run.state}`}>${progressText(run)}</span>${alertLink(run)}`,
  },
  textColumn("group", ({ notes }) => notes.group),
  {
    head: "tags",
    sortKey: ({ notes }) => notes.tags.join(),
    text: ({ notes }) => html`<span class="run-tags">${notes.tags.map((tag) => html`<span>${tag}</span>`)}</span>`,
  },
  textColumn("image", ({ description }) => description?.image.name ?? ""),
  textColumn("preset", ({ description }) => description?.config.preset ?? ""),
  numberOf("blobs", ({ config }) => config.blobs, count),
  numberOf("PSNR", ({ result }) => psnrOf(result), decibels),
  numberOf(
    "loss",
    ({ result }) => result.loss,
    (loss) => loss.toPrecision(3),
  ),
  numberOf("seconds", ({ timings }) => timings.seconds, secondsCount),
];

const lastColumns: Column<LiveRun>[] = [
  {
    head: "checkpoint",
    sortKey: ({ description }) => description?.timings.finishedAt ?? "",
    text: ({ description }) => (description ? formatDate(description.timings.finishedAt) : ""),
  },
  textColumn("notes", ({ notes }) => notes.notes.split("\n")[0]),
];

/** Settings with columns of their own. */
const ownColumns: (keyof TrainConfig)[] = ["preset", "blobs", "steps"];

/** Returns a column for each setting in which runs differ. */
function settingColumns(runs: readonly LiveRun[]): Column<LiveRun>[] {
  const configs = runs.flatMap(({ description }) => (description ? [description.config] : []));
  const [first] = configs;
  const fields = (first ? Object.keys(first) : []) as (keyof TrainConfig)[];
  return fields
    .filter((field) => !ownColumns.includes(field))
    .filter((field) => configs.some((config) => String(config[field]) !== String(first[field])))
    .map((field) => {
      const settingOf = ({ description }: LiveRun) => description?.config[field] ?? "";
      const isNumber = typeof first[field] === "number";
      return {
        head: field,
        sortKey: (run) => (isNumber ? Number(settingOf(run)) : String(settingOf(run))),
        text: (run) => (run.description ? valueText(run.description.config[field]) : ""),
        isNumber,
      };
    });
}

/** Returns a link to the step of the last alert of a run, if it has any. */
function alertLink({ path, description }: LiveRun): Node | null {
  const alert = description?.alerts?.at(-1);
  if (!alert) return null;
  const { kind, step, sentence } = alert;
  return html`<br><a href=${pageAddress(path, step)} title=${sentence}>${kind}: step ${count(step)}</a>`;
}

/** Returns the alerts of a run, each with a link to its step. */
export function alertList({ path, description }: LiveRun): HTMLElement {
  const items = (description?.alerts ?? []).map(
    ({ kind, step, sentence }) =>
      html`<li class=${`is-${kind}`}>${sentence} <a href=${pageAddress(path, step)}>Step ${count(step)}</a></li>`,
  );
  return html`<ul class="run-alerts">${items}</ul>`;
}

/** Returns a table of the runs, which can be searched and sorted. The query is part of the page's address. */
export function runList(runs: LiveRuns): HTMLElement {
  const parameters = new URLSearchParams(location.search);
  const images = new Map<string, HTMLImageElement>();
  const imageOf = ({ path, description }: LiveRun) => {
    if (!description) return html`<span></span>`;
    const step = description.film?.at(-1);
    const file = step === undefined ? runFiles.render : frameFile(step);
    const src = fileAddress(path, file);
    // A row that is replaced keeps its image.
    const before = images.get(path);
    if (before?.getAttribute("src") === src) return before;
    const image = html<HTMLImageElement>`<img src=${src} alt="" width="72" height="72" loading="lazy">`;
    images.set(path, image);
    return image;
  };
  const table = sortedTable<LiveRun>("Runs", "checkpoint", (run) => [
    html`<a href=${pageAddress(run.path)}>${nameOf(run)}</a>`,
    imageOf(run),
  ]);
  const number = html`<span class="run-count" role="status"></span>`;
  const refresh = () => {
    const all = [...runs.byPath.values()];
    const shown = all.filter(runFilter(search.value));
    const filtered = shown.length < all.length ? `${count(shown.length)} of ` : "";
    number.textContent = `${filtered}${counted(all.length, "run")}`;
    table.show(shown, [...firstColumns, ...settingColumns(all), ...lastColumns]);
  };
  const oninput = () => {
    const query = search.value === "" ? "" : `?${new URLSearchParams({ search: search.value })}`;
    history.replaceState(null, "", `./${query}`);
    refresh();
  };
  const search = html<HTMLInputElement>`<input type="search" aria-label="Search runs" value=${parameters.get("search") ?? ""}
    placeholder="Search, or filter: blobs>1000 group=first psnr>=30" oninput=${oninput}>`;
  document.title = "Runs | splatbook";
  const notebook = runs.notebook && html`<nav class="view-links"><a href=${runs.notebook}>Notebook</a></nav>`;
  const node = html`<div class="run-list">
    ${notebook}
    <h1>Runs</h1>
    <p>All runs in ${runs.root}. The table follows each checkpoint.</p>
    <div class="run-search">${search}${number}</div>
    ${table}
  </div>`;
  void updateWhileShown(runs, node, refresh);
  return node;
}
