import { html } from "htl";
import { gradientTolerance, weakTolerance } from "../../engine/gradientCheck.js";
import { announce, button, setText, tableOf } from "../page/element.js";
import { groupLabel, percent } from "../page/format.js";
import { showError } from "../page/help.js";
import { updateWhileShown } from "../training/follow.js";
import { changedOnly } from "./kernelEdits.js";
import type { EditStatus, LiveKernels } from "./liveKernels.js";
import { fingerprint, type KernelFiles } from "./savedKernels.js";

const statusText: Record<EditStatus, string> = {
  compiling: "Compiling …",
  trying: "Compiled. Trial run with bounded loops",
  wrong: "Compilation failed. The page trains with the previous kernels.",
  held: "Compiled, but not running.",
  uncalled: "Compiled, but never called. The page trains with the shipped kernels.",
  running: "",
};

/** Returns the status of the edits and of their gradient check, in sentences. */
export function kernelStatus(live: LiveKernels): HTMLElement {
  const { edits } = live;
  const state = html`<p class="kernel-status" role="status"></p>`;
  const message = html`<p class="kernel-notice" role="alert"></p>`;
  const uncalled = html`<p class="kernel-uncalled" role="status"></p>`;
  const checkResult = html`<p class="check-verdict" role="status"></p>`;
  const node = html`<div class="kernel-verdict">${[state, uncalled, message, checkResult]}</div>`;
  void updateWhileShown(live.change, node, () => {
    const { status, trialProgress, check, checkError, checkProgress } = live;
    const isEdited = Object.keys(live.running).length > 0;
    const trainingText = isEdited ? "The page trains with your edits." : "The page trains with the shipped kernels.";
    const isTrying = status === "trying";
    const progressText = isTrying ? `: ${Math.round(100 * trialProgress)} %.` : "";
    announce(state, status === "running" ? trainingText : statusText[status] + progressText, !isTrying);
    state.dataset.state = status;
    const topic = live.notice ? "An edited kernel does not compile or end" : "Runs or edits cannot be saved";
    showError(message, [live.notice, edits.saved.problem].filter(Boolean).join(" "), topic);
    setText(uncalled, live.uncalled.join(" "));
    node.dataset.state = isTrying
      ? "checking"
      : check
        ? check.agrees
          ? "agrees"
          : "disagrees"
        : checkError
          ? "failed"
          : "checking";
    // While the shipped kernels run, the check says nothing about the edits.
    const ownerText = isEdited ? "" : " of the shipped kernels";
    const own = `${percent(weakTolerance)} of each gradient`;
    const toleranceText = `within ${own} and ${percent(gradientTolerance)} of its group's largest.`;
    const resultText = check
      ? check.agrees
        ? `The gradient check${ownerText} passed: backward pass and finite differences agree ${toleranceText}`
        : `The gradient check${ownerText} failed: backward pass and finite differences must agree ${toleranceText}`
      : checkError;
    const checkingText = `Checking gradients: ${Math.round(100 * checkProgress)} %.`;
    // The result of the kernels before reads like one of the edit.
    if (isTrying) announce(checkResult, "The gradient check of the edit follows.", false);
    else announce(checkResult, resultText ?? checkingText, resultText !== undefined);
  });
  return node;
}

/** Returns the list of changed files, with buttons to revert them and to use them in the lab. */
export function changedFilesPanel(live: LiveKernels): HTMLElement {
  const { edits } = live;
  const files = html`<ul class="changed-files"></ul>`;
  const revertAll = button("Revert all files", () => edits.revertAll());
  const setLab = (files: KernelFiles) => {
    edits.saved.lab = files;
    show();
  };
  const useInLab = button("Use edits in the lab", () => setLab(live.running));
  const restoreLab = button("Restore the lab's kernels", () => setLab({}));
  const labNote = html`<span class="lab-note"></span>`;
  const show = () => {
    const changed = Object.keys(edits.files);
    const isEdited = Object.keys(live.running).length > 0;
    files.replaceChildren(...changed.map((file) => html`<li><code>${file}</code></li>`));
    revertAll.disabled = changed.length === 0;
    const lab = changedOnly(edits.shipped, edits.saved.lab);
    const isInLab = fingerprint(lab) === fingerprint(live.running);
    useInLab.disabled = live.status !== "running" || !isEdited || isInLab || !live.check;
    restoreLab.disabled = Object.keys(lab).length === 0;
    labNote.textContent = restoreLab.disabled
      ? ""
      : `The lab trains with your edits of ${Object.keys(lab).join(", ")}.`;
  };
  const node = html`<section class="kernel-state desk-panel">
    <h3>Changed files</h3>
    ${files}
    <div class="file-tools">${[revertAll, useInLab, restoreLab]}</div>
    ${labNote}
  </section>`;
  void updateWhileShown(live.change, node, show);
  return node;
}

/** Returns a table of the running kernels' gradient check, one row per group of parameters. */
export function gradientCheckTable(live: LiveKernels): HTMLElement {
  const table = tableOf(["parameters", "relative error", "largest at", "backward", "difference"], []);
  const outdatedNote = html`<p class="figure-note outdated-note"></p>`;
  const node = html`<section class="gradient-check desk-panel">
    <h3>Gradient check</h3>
    <div class="wide" tabindex="0">${table}</div>
    ${outdatedNote}
  </section>`;
  void updateWhileShown(live.change, node, () => {
    const rows = live.check?.groups.map(({ group, disagreement, worst, agrees }) => {
      const errorText = Number.isFinite(disagreement) ? percent(disagreement) : "not finite";
      const worstText = `${worst.name} of blob ${worst.blob}${worst.kink ? ", at a kink" : ""}`;
      return html`<tr class=${!agrees && "wrong"}>
        <th scope="row">${groupLabel(group)}</th>
        <td>${agrees ? "" : "✗ "}${errorText}</td>
        <td>${worstText}</td>
        <td>${formatSlope(worst.backward)}</td>
        <td>${formatSlope(worst.difference)}</td>
      </tr>`;
    });
    if (rows) table.tBodies[0].replaceChildren(...rows);
    const isOutdated = !live.check && table.tBodies[0].rows.length > 0;
    const outdatedText = "These results belong to the previous kernels. The current kernels are being checked.";
    setText(outdatedNote, isOutdated ? outdatedText : "");
    table.classList.toggle("outdated", isOutdated);
  });
  return node;
}

function formatSlope(value: number): string {
  return value.toPrecision(4).replace("-", "−");
}
