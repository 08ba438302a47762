import { droppedFiles, type PickedFile, pickedFiles } from "../../host/browser/pickedFiles.js";
import { element } from "../page/element.js";
import { counted } from "../page/format.js";
import { showError } from "../page/help.js";
import { listRecordedRuns } from "../runs/recordedRuns.js";
import { updateWhileShown } from "../training/follow.js";
import { type ComparedRun, recordedRun } from "./comparedRun.js";
import type { Comparison } from "./comparison.js";
import { readRuns } from "./readRuns.js";

/**
 * Ways to bring runs: dropped anywhere on the page, picked, or recorded with the site; and what was wrong with some.
 * @param signal ends the listening for drops
 */
export function compareSources(comparison: Comparison, signal: AbortSignal): HTMLElement {
  const status = element("p", { class: "source-status", role: "status" });
  const addFiles = async (files: PickedFile[] | Promise<PickedFile[]>) => {
    status.textContent = "Reading …";
    comparison.dismissErrors();
    try {
      const { runs, errors: troubles } = await readRuns(await files);
      comparison.add(runs, runs.length);
      comparison.complain(...troubles);
      status.textContent = runs.length > 0 ? `Added ${counted(runs.length, "run")}.` : "";
    } catch (error) {
      status.textContent = "";
      comparison.complain(`These files cannot be read: ${(error as Error).message}`);
    }
  };
  const picker = (text: string, attributes: Record<string, unknown>) => {
    const onchange = () => {
      void addFiles(pickedFiles(input));
      // So that the same ones can be picked again.
      input.value = "";
    };
    const input = element("input", { type: "file", multiple: true, class: "visually-hidden", onchange, ...attributes });
    return element("label", { class: "source-picker" }, input, text);
  };
  const addRecordedRuns = async () => {
    try {
      const countBefore = comparison.runs.length;
      const recordedCount = await addRecorded(comparison);
      const added = comparison.runs.length - countBefore;
      if (recordedCount === 0) status.textContent = "This site has no recorded runs.";
      else if (added === 0) status.textContent = "The recorded runs are already in the table.";
      else status.textContent = `Added ${counted(added, "recorded run")}.`;
    } catch {
      comparison.complain("The list of recorded runs cannot be fetched.");
    }
  };
  const button = (text: string, onclick: () => void) => element("button", { type: "button", onclick }, text);
  const troubles = element("ul", { class: "troubles" });
  const dismissButton = button("Dismiss", () => comparison.dismissErrors());
  const errorBox = element("div", { class: "trouble-box" }, element("div", { role: "alert" }, troubles), dismissButton);
  const pickers = [picker("folders", { webkitdirectory: true }), picker("files", { accept: ".arrow,.json,.png" })];
  const dropText = " run folders or .arrow files anywhere on this page, or pick ";
  const drop = element("span", {}, element("strong", {}, "Drop"), dropText, pickers[0], " or ", pickers[1]);
  const recorded = button("Add recorded runs", () => void addRecordedRuns());
  const field = element("div", { class: "drop source-drop" }, drop);
  const node = element("div", { class: "compare-sources" }, field, recorded, status, errorBox);
  document.addEventListener("dragover", (event) => event.preventDefault(), { signal });
  const handleDrop = (event: DragEvent) => {
    const hasFiles = event.dataTransfer?.types.includes("Files");
    // Fields take dropped text. Anywhere else, a dropped link would leave the page.
    if (!hasFiles && (event.target as Element).closest(":read-write")) return;
    event.preventDefault();
    if (hasFiles) void addFiles(droppedFiles(event.dataTransfer!));
  };
  document.addEventListener("drop", handleDrop, { signal });
  void updateWhileShown(comparison, node, () => {
    errorBox.hidden = comparison.errors.length === 0;
    const shown = comparison.errors.join("\n");
    if (troubles.dataset.shown === shown) return;
    troubles.dataset.shown = shown;
    troubles.replaceChildren(
      ...comparison.errors.map((sentence) => {
        const item = element("li");
        showError(item, sentence, "A file or a run cannot be read");
        return item;
      }),
    );
  });
  return node;
}

/**
 * Adds the runs that the site publishes, and compares two of them: those of one picture, where there are such.
 * @param first the name of one that is compared in any case
 * @returns how many there are
 */
export async function addRecorded(comparison: Comparison, first?: string | null): Promise<number> {
  const runs = (await listRecordedRuns()).map(recordedRun);
  const requested = runs.find(({ name }) => name === first);
  const images = runs.map(({ facts }) => facts.image);
  const sharedImage = requested?.facts.image ?? images.find((image, i) => images.indexOf(image) !== i);
  const rank = (run: ComparedRun) => (run === requested ? 0 : run.facts.image === sharedImage ? 1 : 2);
  comparison.add(
    runs.toSorted((a, b) => rank(a) - rank(b)),
    2,
  );
  return runs.length;
}
