import { megabytes, type RunStore, type StoredRun } from "../../host/browser/runStore.js";
import { canSaveFolder, saveFolder } from "../../host/browser/saveFolder.js";
import { deleteButton } from "../inputs/deleteButton.js";
import { element, uniqueId } from "../page/element.js";
import { bytesText, count, counted, psnrText } from "../page/format.js";
import { showError } from "../page/help.js";
import { savedRun } from "./comparedRun.js";
import { addRecorded } from "./compareSources.js";
import type { Comparison } from "./comparison.js";

const initiallyCompared = 3;

/**
 * The runs that this browser keeps: to rename, to take along, to go on with, to delete; and how much room they take.
 * They are added to the comparison; where there are none, the site's recorded ones are.
 * @param store or why there is none, as a sentence
 * @param recorded the name of a recorded run that is to be compared
 */
export function savedRuns(store: RunStore | string, comparison: Comparison, recorded?: string | null): HTMLElement {
  const usage = element("p", { class: "store-use", role: "status" });
  const list = element("ul", { class: "kept-runs" });
  const node = element("div", { class: "kept" }, usage, list);
  const addFirst = async () => {
    if (comparison.runs.length > 0 && !recorded) return;
    // Without them the page still takes what is dropped.
    await addRecorded(comparison, recorded).catch(() => comparison.add([], 0));
  };
  if (typeof store === "string") {
    showError(usage, store, "Runs or edits cannot be saved");
    void addFirst();
    return node;
  }
  const meter = element("meter", { min: 0, max: store.limits.kept, "aria-label": "Storage used by saved runs" });
  const showUsage = (text: string) => usage.replaceChildren(text, " ", meter);
  const showStoreError = ({ message }: Error) => showError(usage, message, "Runs or edits cannot be saved");
  const attempt = async (work: () => Promise<unknown>) => {
    await work().then(() => show(0), showStoreError);
  };
  const show = async (chosenCount: number) => {
    const runs = await store.kept();
    meter.value = runs.reduce((sum, { bytes }) => sum + bytes, 0);
    const usedText = `${megabytes(meter.value)} of ${megabytes(store.limits.kept)}`;
    const emptyText = "No run is saved in this browser. To save one, choose Save run in the lab.";
    showUsage(runs.length === 0 ? emptyText : `${counted(runs.length, "saved run")}, ${usedText}.`);
    const compared = runs.map((run) => savedRun(store, run));
    if (runs.length > 0) comparison.add(compared, chosenCount);
    // What happened to them in another tab.
    const deleted = comparison.runs.filter(({ origin, id }) => origin === "kept" && !runs.some((run) => run.id === id));
    for (const { id } of deleted) comparison.remove(id);
    for (const { id, name } of runs) comparison.rename(id, name);
    const returnFocus = rememberFocus(list);
    list.replaceChildren(...runs.map((run) => item(store, run, attempt)));
    returnFocus();
  };
  void show(recorded ? initiallyCompared - 1 : initiallyCompared)
    .catch(showStoreError)
    .then(addFirst);
  // The lab in another tab may have kept one meanwhile.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && node.isConnected) void attempt(async () => {});
  });
  return node;
}

/** Gives the keyboard its place back when a list's items are new ones: in the same item, or else in the next. */
function rememberFocus(list: HTMLElement): () => void {
  const { activeElement } = document;
  const before = [...list.children] as HTMLElement[];
  const at = before.findIndex((item) => item.contains(activeElement));
  return () => {
    if (at < 0) return;
    const items = [...list.children] as HTMLElement[];
    const sameItem = items.find(({ dataset }) => dataset.id === before[at].dataset.id);
    const next = sameItem ?? items[Math.min(at, items.length - 1)];
    next?.querySelector<HTMLElement>(activeElement!.localName)?.focus();
  };
}

function item(store: RunStore, run: StoredRun, attempt: (work: () => Promise<unknown>) => Promise<void>): HTMLElement {
  const { id, name, bytes, storedAt, description, thumbnail } = run;
  const rename = async () => {
    await attempt(() => store.rename(id, input.value));
    if (input.value.trim() === "") input.value = name;
  };
  const attributes = { type: "text", id: uniqueId("kept-name"), value: name, maxlength: 120 };
  const input = element("input", { ...attributes, onchange: () => void rename() });
  const remove = deleteButton("Delete", bytes, () => void attempt(() => store.delete(id)));
  const savedAt = new Date(storedAt).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const psnr = psnrText(description.result.psnr ?? Number.POSITIVE_INFINITY);
  const onload = () => URL.revokeObjectURL(picture.src);
  const picture = element("img", { alt: `Render of ${name}`, width: 72, height: 72, onload });
  if (thumbnail) picture.src = URL.createObjectURL(thumbnail);
  const resumeLink = element("a", { href: `./?resume=${encodeURIComponent(id)}` }, "Resume in the lab");
  const label = element("label", { class: "visually-hidden", for: input.id }, `Name of ${name}`);
  const summary = element("p", {}, `${savedAt}, step ${count(description.step)}, ${psnr}, ${bytesText(bytes)}`);
  const buttons = element("div", { class: "kept-buttons" }, resumeLink, remove, files(store, run));
  const facts = element("div", { class: "kept-facts" }, label, input, summary, buttons);
  return element("li", { "data-id": id }, picture, facts);
}

/** The files of a run: each by itself, and, where the browser can, all of them as a folder. */
function files(store: RunStore, { id, name }: StoredRun): HTMLElement {
  const list = element("div", { class: "kept-files" });
  const status = element("p", { role: "status" });
  let urls: string[] = [];
  const show = async () => {
    const names = await store.fileNames(id);
    const blobs = await Promise.all(names.map(async (file) => [file, (await store.file(id, file))!] as const));
    urls = blobs.map(([, blob]) => URL.createObjectURL(blob));
    const links = blobs.map(([file, { size }], i) => {
      const download = file.slice(file.lastIndexOf("/") + 1);
      return element("a", { href: urls[i], download, title: bytesText(size) }, file);
    });
    const saveAll = async () => {
      status.textContent = await saveFolder(name, blobs).catch((error: Error) => error.message);
    };
    const saveAllButton = element("button", { type: "button", onclick: () => void saveAll() }, "Save as folder …");
    list.replaceChildren(...links, ...(canSaveFolder() ? [saveAllButton] : []), status);
  };
  const ontoggle = () => {
    for (const url of urls) URL.revokeObjectURL(url);
    urls = [];
    if (details.open) void show();
  };
  const details = element("details", { ontoggle }, element("summary", {}, "Files"), list);
  return details;
}
