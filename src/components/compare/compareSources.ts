import { html } from "htl";
import { droppedFiles, type PickedFile, pickedFiles } from "../../host/browser/pickedFiles.js";
import { counted } from "../page/format.js";
import { showError } from "../page/help.js";
import { followReader } from "../page/reader.js";
import { updateWhileShown } from "../training/follow.js";
import type { Comparison } from "./comparison.js";
import { readRuns } from "./readRuns.js";

/**
 * Returns inputs that add runs: folders dropped anywhere on the page, and a folder picker. Lists what cannot be read.
 * @param invalidation ends drops
 */
export function compareSources(comparison: Comparison, invalidation: Promise<unknown>): HTMLElement {
  const status = html`<span role="status"></span>`;
  const addFiles = async (files: PickedFile[] | Promise<PickedFile[]>) => {
    status.textContent = "Reading …";
    const { runs, errors } = await readRuns(await files);
    comparison.add(runs, runs.length);
    comparison.showErrors(errors);
    status.textContent = runs.length > 0 ? `Added ${counted(runs.length, "run")}.` : "";
  };
  const onchange = () => {
    void addFiles(pickedFiles(input));
    // So that the same folder can be picked again.
    input.value = "";
  };
  const input = html<HTMLInputElement>`<input type="file" webkitdirectory class="visually-hidden" onchange=${onchange}>`;
  const errorList = html`<ul class="wrong" role="alert"></ul>`;
  const node = html`<div class="compare-sources" role="group" aria-label="Add runs">
    <div class="drop"><span>
      <strong>Drop</strong> run folders anywhere on this page, or <label class="link">${input}pick a folder</label>. ${status}
    </span></div>
    ${errorList}
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
  let { errors } = comparison;
  void updateWhileShown(comparison, node, () => {
    if (errors === comparison.errors) return;
    errors = comparison.errors;
    errorList.replaceChildren();
    for (const sentence of errors) {
      const item = html`<li></li>`;
      showError(item, sentence, "A file or a run cannot be read");
      errorList.append(item);
    }
  });
  return node;
}
