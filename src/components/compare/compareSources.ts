import { html } from "htl";
import { droppedFiles, type PickedFile, pickedFiles } from "../../host/browser/pickedFiles.js";
import { counted } from "../page/format.js";
import { errorText } from "../page/help.js";
import { followReader } from "../page/reader.js";
import { listRecordedRuns } from "../runs/recordedRuns.js";
import { updateWhileShown } from "../training/follow.js";
import { type ComparedRun, recordedRun } from "./comparedRun.js";
import type { Comparison } from "./comparison.js";
import { readRuns } from "./readRuns.js";

/**
 * Returns inputs that add runs: files dropped anywhere on the page, a file picker, and the site's recorded runs. Lists
 * what cannot be read.
 * @param invalidation ends drops
 */
export function compareSources(comparison: Comparison, invalidation: Promise<unknown>): HTMLElement {
  const status = html`<p class="source-status" role="status"></p>`;
  const addFiles = async (files: PickedFile[] | Promise<PickedFile[]>) => {
    status.textContent = "Reading …";
    comparison.dismissErrors();
    try {
      const { runs, errors } = await readRuns(await files);
      comparison.add(runs, runs.length);
      comparison.reportErrors(...errors);
      status.textContent = runs.length > 0 ? `Added ${counted(runs.length, "run")}.` : "";
    } catch (error) {
      status.textContent = "";
      comparison.reportErrors(`These files cannot be read: ${(error as Error).message}`);
    }
  };
  const picker = (text: string, attributes: Record<string, unknown>) => {
    const onchange = () => {
      void addFiles(pickedFiles(input));
      // So that the same files can be picked again.
      input.value = "";
    };
    const input = html<HTMLInputElement>`<input type="file" multiple class="visually-hidden" onchange=${onchange} ${attributes}>`;
    return html`<label class="file-picker">${input}${text}</label>`;
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
      comparison.reportErrors("The list of recorded runs cannot be fetched.");
    }
  };
  const errorList = html`<ul class="source-errors"></ul>`;
  const errorBox = html`<div class="error-box">
    <div role="alert">${errorList}</div>
    <button type="button" onclick=${() => comparison.dismissErrors()}>Dismiss</button>
  </div>`;
  const node = html`<div class="compare-sources" role="group" aria-label="Add runs">
    <div class="drop source-drop"><span>
      <strong>Drop</strong> run folders or .arrow files anywhere on this page, or pick
      ${picker("folders", { webkitdirectory: true })} or ${picker("files", { accept: ".arrow,.json,.png" })}
    </span></div>
    <button type="button" onclick=${() => void addRecordedRuns()}>Add recorded runs</button>
    ${status}${errorBox}
  </div>`;
  const drop = (event: DragEvent) => {
    const hasFiles = event.dataTransfer?.types.includes("Files");
    // Fields take dropped text. Anywhere else, a dropped link would leave the page.
    if (!hasFiles && (event.target as Element).closest(":read-write")) return;
    event.preventDefault();
    if (hasFiles) void addFiles(droppedFiles(event.dataTransfer!));
  };
  const controller = new AbortController();
  void invalidation.then(() => controller.abort());
  followReader({ drag: (event) => event.preventDefault(), drop }, controller.signal);
  let shown = "";
  void updateWhileShown(comparison, node, () => {
    errorBox.hidden = comparison.errors.length === 0;
    if (shown === comparison.errors.join("\n")) return;
    shown = comparison.errors.join("\n");
    const texts = comparison.errors.map((sentence) => errorText(sentence, "A file or a run cannot be read"));
    errorList.replaceChildren(...texts.map((text) => html`<li>${text}</li>`));
  });
  return node;
}

/**
 * Adds the recorded runs and compares two of them, preferably of the same image.
 * @param first the name of a run to compare
 * @returns the number of recorded runs
 */
export async function addRecorded(comparison: Comparison, first?: string | null): Promise<number> {
  const runs = (await listRecordedRuns()).map(recordedRun);
  const requested = runs.find(({ name }) => name === first);
  const images = runs.map(({ facts }) => facts.image);
  const sharedImage = requested?.facts.image ?? images.find((image, i) => images.indexOf(image) !== i);
  const rank = (run: ComparedRun) => (run === requested ? 0 : run.facts.image === sharedImage ? 1 : 2);
  runs.sort((a, b) => rank(a) - rank(b));
  comparison.add(runs, 2);
  return runs.length;
}
