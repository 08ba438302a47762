import { html } from "htl";
import { announce, button } from "../../components/page/element.js";
import { fetchedRun } from "../../components/runs/fetchedRun.js";
import { maxBlobs } from "../../components/runs/regionImage.js";
import { follow, updateWhileShown } from "../../components/training/follow.js";
import { fullLink } from "../../components/training/link.js";
import { noNotes, type RunNotes } from "../../engine/files/liveRun.js";
import { hasEnded, type RunDescription } from "../../engine/files/runDescription.js";
import { regionsFolder, runFiles } from "../../engine/files/runFiles.js";
import { RunRecord } from "../../engine/files/runRecord.js";
import { decodeBitmap } from "../../host/browser/decodeBitmap.js";
import { RangedFile } from "../../host/browser/rangedFile.js";
import { RegionBlobs } from "../../host/regionBlobs.js";
import { anyReport } from "../anyReport.js";
import { fileLinks } from "../files.js";
import { openGpu } from "../openGpu.js";
import { isByRegions, readAnyReport } from "../report.js";
import type { RunReport } from "../runReport.js";
import { fileAddress, nameOf } from "./addresses.js";
import type { LiveRuns } from "./liveRuns.js";
import { progressText } from "./progress.js";
import { alertList } from "./runList.js";

const open = openGpu(async () => new Map(await (await fetch("shaders.json")).json()));

/** Milliseconds to wait for another checkpoint if the files of one could not be read. */
const retryAfter = 300;

/**
 * Returns the page of a run, which follows its checkpoints.
 * @param hasOthers whether there is a table of all runs to return to
 * @param markedStep a step to mark in the training curves, as in the address
 */
export function runPage(runs: LiveRuns, path: string, hasOthers: boolean, markedStep: string | null): HTMLElement {
  const title = html`<h1></h1>`;
  const state = html`<p></p>`;
  const alerts = html`<div></div>`;
  const error = html`<p class="error-box" role="alert" hidden></p>`;
  const content = html`<div></div>`;
  const exported = html`<div></div>`;
  const settings = html<HTMLAnchorElement>`<a hidden>These settings in the lab</a>`;
  const links = html`<nav class="view-links">
    ${hasOthers && html`<a href="./">All runs</a>`}
    ${runs.notebook && html`<a href=${runs.notebook}>Notebook</a>`}
    ${settings}
  </nav>`;
  const node = html`<div class="run-page">
    ${links}${title}${state}${alerts}${notesForm(runs, path)}${error}${content}
  </div>`;
  const readReport = reportReader(path);
  const runNow = () => runs.byPath.get(path);
  let report: RunReport | undefined;
  let reportKey = "";
  let readError = "";
  const checkpointNow = () => runNow()?.description?.timings.finishedAt;
  const showError = () => {
    error.textContent = runNow()?.error ?? readError;
    error.hidden = error.textContent === "";
  };

  /** Reads each checkpoint of the run. Those that are replaced while another is read are skipped. */
  const readCheckpoints = async () => {
    for await (const checkpoint of follow(runs, checkpointNow, { interval: 0, costFactor: 1 })) {
      try {
        await showReport();
        readError = "";
      } catch (reason) {
        // Its files may have been replaced.
        await new Promise((resolve) => setTimeout(resolve, retryAfter));
        if (checkpointNow() !== checkpoint) continue;
        readError = (reason as Error).message;
      }
      showError();
    }
  };
  const showReport = async () => {
    const { record, report: next } = await readReport(nameOf(runNow()!));
    // Regions have no images before the first one is done.
    if (!next) return;
    const { config, files: listed } = next.description;
    // Older runs do not list their files. Those of single regions are only for training.
    const listedNames = Object.keys(listed ?? {}).filter((name) => !name.startsWith(`${regionsFolder}/`));
    const names = listed ? [runFiles.description, ...listedNames] : Object.values(runFiles);
    const files = names.map((name) => ({ name, href: fileAddress(path, name) }));
    exported.replaceChildren(fileLinks(files));
    // The blobs of regions can be rendered once the run has ended.
    const key = JSON.stringify([config, isByRegions(next) && hasEnded(next.description)]);
    if (report && key === reportKey) return report.update(next);
    reportKey = key;
    report = anyReport(next, { open, hasCpu: false, files: exported, blobs: () => openRegions(path, record) });
    content.replaceChildren(report);
    if (markedStep !== null) report.showStep(Number(markedStep));
  };

  const show = () => {
    const run = runNow();
    title.textContent = run ? nameOf(run) : path;
    document.title = `${title.textContent} | splatbook`;
    state.className = `live-state is-${run?.state ?? "stopped"}`;
    state.textContent = run ? progressText(run) : "There is no such run in this folder.";
    alerts.replaceChildren(run ? alertList(run) : "");
    // The lab trains whole images.
    settings.hidden = !runs.notebook || !run?.description || run.regions !== undefined;
    if (run?.description) settings.href = `${runs.notebook}${fullLink(run.description.config)}`;
    showError();
  };
  void updateWhileShown(runs, node, show);
  void readCheckpoints();
  return node;
}

/** Returns a function that reads a run's report. Images that a checkpoint did not change are fetched once. */
function reportReader(path: string) {
  const unchanged = new Map<string, { hash: string; bytes: Promise<Uint8Array> }>();
  return async (name: string) => {
    const source = fetchedRun(name, (file) => fileAddress(path, file), decode);
    let hashes: RunDescription["files"];
    const fetchFile = source.read;
    source.read = async (file) => {
      const hash = file.endsWith(".png") && file !== runFiles.render && hashes?.[file];
      if (!hash) return fetchFile(file);
      const before = unchanged.get(file);
      const bytes = before?.hash === hash ? before.bytes : fetchFile(file);
      unchanged.set(file, { hash, bytes });
      return bytes.catch((error) => {
        unchanged.delete(file);
        throw error;
      });
    };
    const record = await RunRecord.open(source);
    hashes = record.description.files;
    const { regions, files } = record.description;
    const hasReport = !regions || files?.[runFiles.render] !== undefined;
    return { record, report: hasReport ? await readAnyReport(record, true) : undefined };
  };
}

const decode = (png: Uint8Array, file: string) =>
  decodeBitmap(new Blob([png as Uint8Array<ArrayBuffer>], { type: "image/png" }), file);

/** Opens the blobs of a run in regions. */
async function openRegions(path: string, record: RunRecord): Promise<RegionBlobs> {
  const address = fileAddress(path, runFiles.parameters);
  const { headers } = await fetch(address, { method: "HEAD" });
  const parameters = new RangedFile(address, Number(headers.get("content-length")), runFiles.parameters);
  return RegionBlobs.open(record, parameters, maxBlobs);
}

/** Returns a form for the notes of a run, which are written to its folder. Text that is being edited stays. */
function notesForm(runs: LiveRuns, path: string): HTMLElement {
  const field = (label: string) => html<HTMLInputElement>`<input type="text" aria-label=${label}>`;
  const name = field("Name");
  const group = field("Group");
  const tags = field("Tags");
  const notes = html<HTMLTextAreaElement>`<textarea aria-label="Notes" rows="2"></textarea>`;
  const status = html`<span role="status"></span>`;
  let saved = "";
  const textOf = () => JSON.stringify(valuesOf());
  const valuesOf = (): RunNotes => ({
    name: name.value.trim(),
    group: group.value.trim(),
    tags: tags.value
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean),
    notes: notes.value,
  });
  const save = async () => {
    const body = textOf();
    const headers = { "Content-Type": "application/json" };
    const address = `notes?${new URLSearchParams({ run: path })}`;
    const response = await fetch(address, { method: "POST", headers, body }).catch(() => undefined);
    if (response?.ok) saved = body;
    announce(status, response?.ok ? "Saved to notes.json." : ((await response?.text()) ?? "Not saved."), true);
  };
  const form = html`<form onsubmit=${(event: Event) => event.preventDefault()}>
    <label><span>Name</span>${name}</label>
    <label><span>Group</span>${group}</label>
    <label><span>Tags, separated by commas</span>${tags}</label>
    <label><span>Notes</span>${notes}</label>
    <div>${button("Save notes", () => void save())}${status}</div>
  </form>`;
  const node = html<HTMLDetailsElement>`<details class="run-notes">
    <summary>Name, group, tags and notes</summary>
    ${form}
  </details>`;
  void updateWhileShown(runs, node, () => {
    const next = runs.byPath.get(path)?.notes ?? noNotes;
    const text = JSON.stringify(next);
    if (text === saved || (saved !== "" && textOf() !== saved)) return;
    saved = text;
    name.value = next.name;
    group.value = next.group;
    tags.value = next.tags.join(", ");
    notes.value = next.notes;
    if (text !== JSON.stringify(noNotes)) node.open = true;
  });
  return node;
}
