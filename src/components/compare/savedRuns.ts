import { html } from "htl";
import { megabytes, type RunStore, type StoredRun } from "../../host/browser/runStore.js";
import { canSaveFolder, saveFolder } from "../../host/browser/saveFolder.js";
import { deleteButton } from "../inputs/deleteButton.js";
import { bytesText, count, counted, psnrText } from "../page/format.js";
import { showError } from "../page/help.js";
import { followReader } from "../page/reader.js";
import { listRecordedRuns } from "../runs/recordedRuns.js";
import { recordedRun, savedRun } from "./comparedRun.js";
import type { Comparison } from "./comparison.js";
import { replaceItems } from "./replaceItems.js";

const initiallyCompared = 3;

/**
 * Returns the list of saved runs, to rename, export, resume or delete, with the storage that they use. Adds them and the
 * site's recorded runs to the comparison.
 * @param store the storage, or a sentence that says why there is none
 * @param invalidation ends updates of the list
 * @param recorded the name of a recorded run to compare
 */
export function savedRuns(
  store: RunStore | string,
  comparison: Comparison,
  invalidation: Promise<unknown>,
  recorded?: string | null,
): HTMLElement {
  const usage = html`<p class="quiet" role="status"></p>`;
  const list = html`<ul class="grid grid-cols-2" aria-label="Saved runs"></ul>`;
  const node = html`<div class="saved">${usage}${list}</div>`;
  const addRecorded = async () => {
    // Without recorded runs, folders can still be dropped.
    const runs = (await listRecordedRuns().catch(() => [])).map(recordedRun);
    runs.sort((a, b) => Number(b.name === recorded) - Number(a.name === recorded));
    comparison.add(runs, recorded || comparison.chosen.length === 0 ? 2 : 0);
  };
  if (typeof store === "string") {
    showError(usage, store, "Runs or edits cannot be saved");
    void addRecorded();
    return node;
  }
  const meter = html<HTMLMeterElement>`<meter min="0" max=${store.limits.kept} aria-label="Storage used by saved runs"></meter>`;
  const showStoreError = ({ message }: Error) => showError(usage, message, "Runs or edits cannot be saved");
  const attempt = async (work: () => Promise<unknown>) => {
    await work().then(() => show(0), showStoreError);
  };
  const show = async (chosenCount: number) => {
    const runs = await store.kept();
    meter.value = runs.reduce((sum, { bytes }) => sum + bytes, 0);
    const usedText = `${megabytes(meter.value)} of ${megabytes(store.limits.kept)}`;
    const emptyText = "No run is saved in this browser. To save one, choose Save in the lab.";
    usage.replaceChildren(
      ...(runs.length === 0 ? [emptyText] : [`${counted(runs.length, "saved run")}, ${usedText}. `, meter]),
    );
    const compared = runs.map((run) => savedRun(store, run));
    if (runs.length > 0) comparison.add(compared, chosenCount);
    // Another tab may have deleted or renamed some.
    const deleted = comparison.runs.filter(
      ({ origin, id }) => origin === "saved" && !runs.some((run) => run.id === id),
    );
    for (const { id } of deleted) comparison.remove(id);
    for (const { id, name } of runs) comparison.rename(id, name);
    const items = runs.map((run) => item(store, run, attempt));
    replaceItems(list, items);
  };
  void show(recorded ? initiallyCompared - 1 : initiallyCompared)
    .catch(showStoreError)
    .then(addRecorded);
  // The lab in another tab may have saved one in the meantime.
  const controller = new AbortController();
  void invalidation.then(() => controller.abort());
  followReader({ comeBack: () => void attempt(async () => {}) }, controller.signal);
  return node;
}

function item(store: RunStore, run: StoredRun, attempt: (work: () => Promise<unknown>) => Promise<void>): HTMLElement {
  const { id, name, bytes, storedAt, description, thumbnail } = run;
  const rename = async () => {
    await attempt(() => store.rename(id, input.value));
    if (input.value.trim() === "") input.value = name;
  };
  const input = html<HTMLInputElement>`<input type="text" aria-label="Name of ${name}" value=${name} maxlength="120" onchange=${() => void rename()}>`;
  const savedAt = new Date(storedAt).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const psnr = psnrText(description.result.psnr ?? Number.POSITIVE_INFINITY);
  const onload = () => URL.revokeObjectURL(image.src);
  const image = html<HTMLImageElement>`<img alt="Render of ${name}" width="72" height="72" onload=${onload}>`;
  if (thumbnail) image.src = URL.createObjectURL(thumbnail);
  return html`<li class="row" data-id=${id}>
    ${image}
    <div>
      <div class="row">${input}</div>
      <p>${savedAt}, step ${count(description.step)}, ${psnr}, ${bytesText(bytes)}</p>
      <div class="row">
        <a href="./?resume=${encodeURIComponent(id)}">Resume in the lab</a>
        ${deleteButton("Delete", bytes, () => void attempt(() => store.delete(id)))}
        ${files(store, run)}
      </div>
    </div>
  </li>`;
}

/** Returns a disclosure with the files of a run, and a button that saves them as a folder where the browser can. */
function files(store: RunStore, { id, name }: StoredRun): HTMLElement {
  const list = html`<div class="row"></div>`;
  const status = html`<p role="status"></p>`;
  let urls: string[] = [];
  const show = async () => {
    const names = await store.fileNames(id);
    const blobs = await Promise.all(names.map(async (file) => [file, (await store.file(id, file))!] as const));
    urls = blobs.map(([, blob]) => URL.createObjectURL(blob));
    const links = blobs.map(([file, { size }], i) => {
      const download = file.slice(file.lastIndexOf("/") + 1);
      return html`<a href=${urls[i]} download=${download} title=${bytesText(size)}>${file}</a>`;
    });
    const saveAll = async () => {
      status.textContent = await saveFolder(name, blobs).catch((error: Error) => error.message);
    };
    if (canSaveFolder())
      links.push(html`<button type="button" onclick=${() => void saveAll()}>Save as folder …</button>`);
    list.replaceChildren(...links, status);
  };
  const ontoggle = () => {
    for (const url of urls) URL.revokeObjectURL(url);
    urls = [];
    if (details.open) void show();
  };
  const details = html<HTMLDetailsElement>`<details ontoggle=${ontoggle}><summary>Files</summary>${list}</details>`;
  return details;
}
