import { html } from "htl";
import { gradientTolerance, weakTolerance } from "../../engine/gradientCheck.js";
import { parameterGroups } from "../../engine/model/blobs.js";
import { announce, setText, tableOf } from "../page/element.js";
import { groupLabel, percent } from "../page/format.js";
import { showError } from "../page/help.js";
import { updateWhileShown } from "../training/follow.js";
import type { EditStatus, LiveKernels } from "./liveKernels.js";

const statusText: Record<EditStatus, string> = {
  compiling: "Compiling …",
  trying: "Compiled. Trial run with bounded loops.",
  wrong: "Compilation failed. The page trains with the previous kernels.",
  held: "Compiled, but not running.",
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
    const { status, progress, check, checkError } = live;
    const isEdited = Object.keys(live.running).length > 0;
    const trainingText = `The page trains with ${isEdited ? "your edits" : "the shipped kernels"}.`;
    const isTrying = status === "trying";
    const percentText = `${Math.round(100 * progress)} %.`;
    announce(state, status === "running" ? trainingText : statusText[status], true);
    state.dataset.state = status;
    const topic = live.notice ? "An edited kernel does not compile or end" : "Runs or edits cannot be saved";
    showError(message, [live.notice, edits.problem].filter(Boolean).join(" "), topic);
    setText(uncalled, live.uncalled.join(" "));
    node.dataset.state = check && !isTrying ? (check.agrees ? "agrees" : "disagrees") : "checking";
    // The result of the kernels before reads like one of the edit.
    if (isTrying) return announce(checkResult, `Checking the gradients of the edit: ${percentText}`, false);
    if (!check) return announce(checkResult, checkError || `Checking gradients: ${percentText}`, checkError !== "");
    // While the shipped kernels run, the check says nothing about the edits.
    const ownerText = isEdited ? "" : " of the shipped kernels";
    const tolerance = `within ${percent(weakTolerance)} of each gradient and ${percent(gradientTolerance)} of its group's largest`;
    const resultText = check.agrees
      ? "passed: backward pass and finite differences agree"
      : "failed: backward pass and finite differences must agree";
    announce(checkResult, `The gradient check${ownerText} ${resultText} ${tolerance}.`, true);
  });
  return node;
}

/** Returns a table of the running kernels' gradient check, one row per group of parameters. */
export function gradientCheckTable(live: LiveKernels): HTMLElement {
  const pending = Object.keys(parameterGroups).map(
    (group) =>
      html`<tr><th scope="row">${groupLabel(group)}</th>${Array.from({ length: 4 }, () => html`<td>–</td>`)}</tr>`,
  );
  const table = tableOf(["parameters", "relative error", "largest at", "backward", "difference"], pending);
  const node = html`<div class="gradient-check wide" tabindex="0" role="region" aria-label="Gradient check">${table}</div>`;
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
    table.classList.toggle("outdated", !live.check);
  });
  return node;
}

function formatSlope(value: number): string {
  return value.toPrecision(4).replace("-", "−");
}
