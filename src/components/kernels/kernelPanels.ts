import { gradientTolerance, weakTolerance } from "../../engine/gradientCheck.js";
import { announce, element, setText, tableOf } from "../page/element.js";
import { percent } from "../page/format.js";
import { showError } from "../page/help.js";
import { updateWhileShown } from "../training/follow.js";
import { changedOnly } from "./kernelEdits.js";
import type { EditStatus, LiveKernels } from "./liveKernels.js";
import { fingerprint } from "./savedKernels.js";

const statusText: Record<EditStatus, string> = {
  compiling: "Compiling …",
  trying: "Compiled. Trial run with bounded loops",
  wrong: "Compilation failed. The page trains with the previous kernels.",
  held: "Compiled, but not running.",
  uncalled: "Compiled, but never called. The page trains with the shipped kernels.",
  running: "",
};

/** What becomes of what the reader writes, in sentences: to stand where it is written. */
export function kernelStatus(live: LiveKernels): HTMLElement {
  const { edits } = live;
  const state = element("p", { class: "kernel-status", role: "status" });
  const message = element("p", { class: "kernel-told", role: "alert" });
  const uncalled = element("p", { class: "kernel-uncalled", role: "status" });
  const checkResult = element("p", { class: "check-verdict", role: "status" });
  const show = () => {
    const { status, trialProgress: trialShare } = live;
    const isEdited = Object.keys(live.running).length > 0;
    const trainingText = isEdited ? "The page trains with your edits." : "The page trains with the shipped kernels.";
    const isTrying = status === "trying";
    const progressText = isTrying ? `: ${Math.round(100 * trialShare)} %.` : "";
    announce(state, status === "running" ? trainingText : statusText[status] + progressText, !isTrying);
    state.dataset.state = status;
    const topic = live.notice ? "An edited kernel does not compile or end" : "Runs or edits cannot be saved";
    showError(message, [live.notice, edits.saved.problem].filter(Boolean).join(" "), topic);
    setText(uncalled, live.uncalled.join(" "));
    const { check, checkError, checkProgress: checkShare } = live;
    node.dataset.state = check ? (check.agrees ? "agrees" : "disagrees") : checkError ? "failed" : "checking";
    // Of kernels that are not what is written it is no verdict on what is written.
    const ownerText = isEdited ? "" : " of the shipped kernels";
    const own = `${percent(weakTolerance)} of each gradient`;
    const toleranceText = `within ${own} and ${percent(gradientTolerance)} of its group's largest.`;
    const resultText = check
      ? check.agrees
        ? `The gradient check${ownerText} passed: backward pass and finite differences agree ${toleranceText}`
        : `The gradient check${ownerText} failed: backward pass and finite differences must agree ${toleranceText}`
      : checkError;
    announce(
      checkResult,
      resultText ?? `Checking gradients: ${Math.round(100 * checkShare)} %.`,
      resultText !== undefined,
    );
  };
  const node = element("div", { class: "kernel-verdict" }, state, uncalled, message, checkResult);
  for (const change of [live.change, edits.change]) void updateWhileShown(change, node, show);
  return node;
}

/** Which files are changed, and what to do with them. */
export function changedFilesPanel(live: LiveKernels): HTMLElement {
  const { edits } = live;
  const files = element("ul", { class: "changed-files" });
  const button = (text: string, onclick: () => void) => element("button", { type: "button", onclick }, text);
  const revertAll = button("Revert all files", () => edits.revertAll());
  const useInLab = button("Use edits in the lab", () => {
    edits.saved.lab = live.running;
    show();
  });
  const restoreLab = button("Restore the lab's kernels", () => {
    edits.saved.lab = {};
    show();
  });
  const labNote = element("span", { class: "lab-words" });
  const show = () => {
    const changed = Object.keys(edits.files);
    const isEdited = Object.keys(live.running).length > 0;
    files.replaceChildren(...changed.map((file) => element("li", {}, element("code", {}, file))));
    revertAll.disabled = changed.length === 0;
    const lab = changedOnly(edits.shipped, edits.saved.lab);
    const isInLab = fingerprint(lab) === fingerprint(live.running);
    useInLab.disabled = live.status !== "running" || !isEdited || isInLab || !live.check;
    restoreLab.disabled = Object.keys(lab).length === 0;
    labNote.textContent = restoreLab.disabled
      ? ""
      : `The lab trains with your edits of ${Object.keys(lab).join(", ")}.`;
  };
  const tools = element("div", { class: "file-tools" }, revertAll, useInLab, restoreLab);
  const parts = [element("h3", {}, "Changed files"), files, tools, labNote];
  const node = element("section", { class: "kernel-state desk-panel" }, ...parts);
  for (const change of [live.change, edits.change]) void updateWhileShown(change, node, show);
  return node;
}

/** The gradient check of the kernels that run, group by group. */
export function gradientCheckTable(live: LiveKernels): HTMLElement {
  const table = tableOf(["parameters", "relative error", "largest at", "backward", "difference"], []);
  const outdatedNote = element("p", { class: "figure-note check-age" });
  const show = () => {
    const rows = live.check?.groups.map(({ group, disagreement, worst, agrees }) => {
      const errorText = Number.isFinite(disagreement) ? percent(disagreement) : "not finite";
      const worstText = `${worst.name} of blob ${worst.blob}${worst.kink ? ", at a kink" : ""}`;
      const texts = [
        `${agrees ? "" : "✗ "}${errorText}`,
        worstText,
        formatSlope(worst.backward),
        formatSlope(worst.difference),
      ];
      const cells = texts.map((text) => element("td", {}, text));
      return element("tr", { class: !agrees && "wrong" }, element("th", { scope: "row" }, group), ...cells);
    });
    if (rows) table.tBodies[0].replaceChildren(...rows);
    const isOutdated = !live.check && table.tBodies[0].rows.length > 0;
    setText(
      outdatedNote,
      isOutdated ? "These results belong to the previous kernels. The current kernels are being checked." : "",
    );
    table.classList.toggle("outdated", isOutdated);
  };
  const node = element(
    "section",
    { class: "gradient-check desk-panel" },
    element("h3", {}, "Gradient check"),
    element("div", { class: "wide", tabindex: 0 }, table),
    outdatedNote,
  );
  void updateWhileShown(live.change, node, show);
  return node;
}

function formatSlope(value: number): string {
  return value.toPrecision(4).replace("-", "−");
}
