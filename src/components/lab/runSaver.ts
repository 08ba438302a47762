import { html } from "htl";
import { megabytes, type RunStore, type StoredRun } from "../../host/browser/runStore.js";
import { writeRun } from "../../host/browser/runWriter.js";
import { setText } from "../page/element.js";
import { count, counted } from "../page/format.js";
import { showError } from "../page/help.js";
import { uniqueName } from "../runs/uniqueName.js";
import { updateWhileShown } from "../training/follow.js";
import type { Inspection } from "../training/readbacks.js";
import type { Run } from "../training/run.js";
import type { Autosave } from "./autosave.js";
import { contentsOf, entryOf } from "./runContents.js";

/**
 * Returns a button that saves a run in this browser with the files of a run folder, an element for its errors, and a line
 * with the number and the size of the saved runs. Also starts the autosave of the run.
 * @param store the store, or the reason why there is none
 */
export function runSaver(run: Run, store: RunStore | string, safety?: Autosave) {
  const line = html`<p role="status"></p>`;
  const trouble = html`<p class="wrong" role="status"></p>`;
  const button = html<HTMLButtonElement>`<button type="button" disabled title="Saves the run in this browser">Save</button>`;
  let isBusy = false;
  let saved: { inspection: Inspection; run: StoredRun } | undefined;
  const show = () => {
    const inspection = run.inspection;
    const isSaved = inspection !== undefined && saved?.inspection === inspection;
    button.disabled = typeof store === "string" || !inspection || isSaved || isBusy;
    const text = isBusy ? "Saving" : isSaved ? "Saved" : "Save";
    setText(button, text);
  };
  const compare = html`<a href="./compare.html">Compare runs</a>`;
  const showUsage = async (store: RunStore, prefix = "") => {
    const runs = await store.kept();
    const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
    const usage = `${counted(runs.length, "saved run")} (${megabytes(bytes)} of ${megabytes(store.limits.kept)})`;
    line.replaceChildren(`${prefix}This browser stores ${usage}. `, compare);
  };
  if (typeof store === "string") showError(line, store, "Runs or edits cannot be saved");
  else {
    safety?.watch(run);
    void showUsage(store);
    button.onclick = async () => {
      if (!run.inspection || isBusy) return;
      isBusy = true;
      show();
      try {
        trouble.textContent = "";
        const inspection = (await run.inspect())!;
        saved = { inspection, run: await saveRun(store, run, inspection) };
        await safety?.discard(run, inspection.state.step);
        await showUsage(store, `Saved as ${saved.run.name}, ${megabytes(saved.run.bytes)}. `);
      } catch (error) {
        showError(trouble, (error as Error).message, "Runs or edits cannot be saved");
      }
      isBusy = false;
      show();
    };
  }
  void updateWhileShown(run, button, show);
  return { button, trouble, line };
}

async function saveRun(store: RunStore, run: Run, inspection: Inspection): Promise<StoredRun> {
  const { measureSplat2d, splat2dFile } = await import("./splat2dFile.js");
  const splat2d = await splat2dFile(run, inspection);
  const file = await measureSplat2d(run, splat2d);
  const written = await writeRun({
    ...contentsOf(run, inspection.state, inspection),
    splat2d: { bytes: splat2d, file },
  });
  const saved = await store.kept();
  // Without this permission the browser may clear the store when the disk is full. Some browsers ask the reader.
  if (saved.length === 0) await navigator.storage?.persist?.();
  const { blobs } = run.config;
  const baseName = `${run.target.name}, ${counted(blobs, "blob")}, step ${count(inspection.state.step)}`;
  const name = uniqueName(baseName, (candidate) => saved.some(({ name }) => name === candidate));
  return store.put(entryOf(run, written, { id: crypto.randomUUID(), kind: "kept", name }), written.files);
}
