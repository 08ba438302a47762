import { megabytes, type RunStore, type StoredRun } from "../../host/browser/runStore.js";
import { writeRun } from "../../host/browser/runWriter.js";
import { element, setText } from "../page/element.js";
import { count, counted } from "../page/format.js";
import { showError } from "../page/help.js";
import { uniqueName } from "../runs/uniqueName.js";
import { updateWhileShown } from "../training/follow.js";
import type { Inspection, Run } from "../training/run.js";
import type { Autosave } from "./autosave.js";
import { contentsOf, entryOf } from "./runContents.js";
import { measureSplat2d, splat2dFile } from "./splat2dFile.js";

/**
 * Keeps a run in this browser's storage, with the files of a run folder, when the reader says so, and its state meanwhile.
 * @param store or why there is none, as a sentence
 * @param safety absent where there is no store
 * @returns a button that keeps the run as it is at the click, why that failed, and a line that says what is kept
 */
export function runSaver(run: Run, store: RunStore | string, safety?: Autosave) {
  const line = element("p", { class: "keep-line", role: "status" });
  const trouble = element("p", { class: "run-message keep-trouble", role: "status" });
  const button = element("button", { type: "button", class: "keep", disabled: true }, "Save run");
  let isBusy = false;
  let saved: { inspection: Inspection; run: StoredRun } | undefined;
  const show = () => {
    const inspection = run.inspection;
    const isSaved = inspection !== undefined && saved?.inspection === inspection;
    button.disabled = typeof store === "string" || !inspection || isSaved || isBusy;
    const text = isBusy ? "Saving …" : isSaved ? `Saved, ${megabytes(saved!.run.bytes)}` : "Save run";
    setText(button, text);
  };
  const compare = element("a", { href: "./compare" }, "Compare runs");
  const showLine = (text: string) => line.replaceChildren(text, " ", compare);
  const showUsage = async (store: RunStore, prefix = "") => {
    const runs = await store.kept();
    const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
    const usage = `${counted(runs.length, "saved run")} (${megabytes(bytes)} of ${megabytes(store.limits.kept)})`;
    showLine(`${prefix}This browser stores ${usage}.`);
  };
  if (typeof store === "string") showError(line, store, "Runs or edits cannot be saved");
  else {
    safety?.watch(run);
    void showUsage(store);
    button.addEventListener("click", async () => {
      if (!run.inspection || isBusy) return;
      isBusy = true;
      show();
      try {
        const { inspection: look } = run;
        trouble.textContent = "";
        saved = { inspection: look, run: await saveRun(store, run, look) };
        await safety?.discard(run, look.state.step);
        await showUsage(store, `Saved as ${saved.run.name}, ${megabytes(saved.run.bytes)}. `);
      } catch (error) {
        showError(trouble, (error as Error).message, "Runs or edits cannot be saved");
      }
      isBusy = false;
      show();
    });
  }
  void updateWhileShown(run, button, show);
  return { button, trouble, line };
}

async function saveRun(store: RunStore, run: Run, inspection: Inspection): Promise<StoredRun> {
  const splat2d = await splat2dFile(run, inspection);
  const file = await measureSplat2d(run, splat2d);
  const written = await writeRun({
    ...contentsOf(run, inspection.state, inspection),
    splat2d: { bytes: splat2d, file },
  });
  const saved = await store.kept();
  // Asked for once there is something to lose; without it the browser may clear the store when its disk is full.
  if (saved.length === 0) await navigator.storage?.persist?.();
  const { blobs } = run.config;
  const baseName = `${run.target.name}, ${counted(blobs, "blob")}, step ${count(inspection.state.step)}`;
  const name = uniqueName(baseName, (candidate) => saved.some(({ name }) => name === candidate));
  return store.put(entryOf(run, written, { id: crypto.randomUUID(), kind: "kept", name }), written.files);
}
