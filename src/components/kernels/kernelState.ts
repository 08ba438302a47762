import { gradientTolerance, weakTolerance } from "../../engine/gradientCheck.js";
import { element, say, setText, tableOf } from "../page/element.js";
import { percent } from "../page/format.js";
import { tellTrouble } from "../page/help.js";
import { whileFollowed } from "../training/follow.js";
import { fingerprint } from "./keptKernels.js";
import { changedOnly } from "./kernelEdits.js";
import type { EditStatus, LiveKernels } from "./liveKernels.js";

const words: Record<EditStatus, string> = {
  compiling: "Compiling …",
  trying: "Compiled. Trial run with bounded loops",
  wrong: "Compilation failed. The page trains with the previous kernels.",
  held: "Compiled, but not running.",
  uncalled: "Compiled, but never called. The page trains with the shipped kernels.",
  running: "",
};

/** What becomes of what the reader writes, in sentences: to stand where it is written. */
export function kernelVerdict(live: LiveKernels): HTMLElement {
  const { edits } = live;
  const state = element("p", { class: "kernel-status", role: "status" });
  const told = element("p", { class: "kernel-told", role: "alert" });
  const uncalled = element("p", { class: "kernel-uncalled", role: "status" });
  const verdict = element("p", { class: "check-verdict", role: "status" });
  const show = () => {
    const { status, trialShare } = live;
    const isEdited = Object.keys(live.running).length > 0;
    const trains = isEdited ? "The page trains with your edits." : "The page trains with the shipped kernels.";
    const isTrying = status === "trying";
    const tried = isTrying ? `: ${Math.round(100 * trialShare)} %.` : "";
    say(state, status === "running" ? trains : words[status] + tried, !isTrying);
    state.dataset.state = status;
    const topic = live.told ? "An edited kernel does not compile or end" : "Runs or edits cannot be saved";
    tellTrouble(told, [live.told, edits.kept.problem].filter(Boolean).join(" "), topic);
    setText(uncalled, live.uncalled.join(" "));
    const { check, checkError, checkShare } = live;
    node.dataset.state = check ? (check.agrees ? "agrees" : "disagrees") : checkError ? "failed" : "checking";
    // Of kernels that are not what is written it is no verdict on what is written.
    const whose = isEdited ? "" : " of the shipped kernels";
    const own = `${percent(weakTolerance)} of each gradient`;
    const ending = `within ${own} and ${percent(gradientTolerance)} of its group's largest.`;
    const found = check
      ? check.agrees
        ? `The gradient check${whose} passed: backward pass and finite differences agree ${ending}`
        : `The gradient check${whose} failed: backward pass and finite differences must agree ${ending}`
      : checkError;
    say(verdict, found ?? `Checking gradients: ${Math.round(100 * checkShare)} %.`, found !== undefined);
  };
  const node = element("div", { class: "kernel-verdict" }, state, uncalled, told, verdict);
  for (const change of [live.change, edits.change]) void whileFollowed(change, node, show);
  return node;
}

/** Which files are changed, and what to do with them. */
export function kernelState(live: LiveKernels): HTMLElement {
  const { edits } = live;
  const files = element("ul", { class: "changed-files" });
  const button = (text: string, onclick: () => void) => element("button", { type: "button", onclick }, text);
  const revertAll = button("Revert all files", () => edits.revertAll());
  const toLab = button("Use edits in the lab", () => {
    edits.kept.lab = live.running;
    show();
  });
  const fromLab = button("Restore the lab's kernels", () => {
    edits.kept.lab = {};
    show();
  });
  const labWords = element("span", { class: "lab-words" });
  const show = () => {
    const changed = Object.keys(edits.files);
    const isEdited = Object.keys(live.running).length > 0;
    files.replaceChildren(...changed.map((file) => element("li", {}, element("code", {}, file))));
    revertAll.disabled = changed.length === 0;
    const lab = changedOnly(edits.shipped, edits.kept.lab);
    const isInLab = fingerprint(lab) === fingerprint(live.running);
    toLab.disabled = live.status !== "running" || !isEdited || isInLab || !live.check;
    fromLab.disabled = Object.keys(lab).length === 0;
    labWords.textContent = fromLab.disabled ? "" : `The lab trains with your edits of ${Object.keys(lab).join(", ")}.`;
  };
  const tools = element("div", { class: "file-tools" }, revertAll, toLab, fromLab);
  const parts = [element("h3", {}, "Changed files"), files, tools, labWords];
  const node = element("section", { class: "kernel-state desk-panel" }, ...parts);
  for (const change of [live.change, edits.change]) void whileFollowed(change, node, show);
  return node;
}

/** The gradient check of the kernels that run, group by group. */
export function gradientCheckTable(live: LiveKernels): HTMLElement {
  const table = tableOf(["parameters", "relative error", "largest at", "backward", "difference"], []);
  const age = element("p", { class: "figure-note check-age" });
  const show = () => {
    const rows = live.check?.groups.map(({ group, disagreement, worst, agrees }) => {
      const share = Number.isFinite(disagreement) ? percent(disagreement) : "not finite";
      const where = `${worst.name} of blob ${worst.blob}${worst.kink ? ", at a kink" : ""}`;
      const texts = [`${agrees ? "" : "✗ "}${share}`, where, slope(worst.backward), slope(worst.difference)];
      const cells = texts.map((text) => element("td", {}, text));
      return element("tr", { class: !agrees && "wrong" }, element("th", { scope: "row" }, group), ...cells);
    });
    if (rows) table.tBodies[0].replaceChildren(...rows);
    const isOutdated = !live.check && table.tBodies[0].rows.length > 0;
    setText(
      age,
      isOutdated ? "These results belong to the previous kernels. The current kernels are being checked." : "",
    );
    table.classList.toggle("outdated", isOutdated);
  };
  const node = element(
    "section",
    { class: "gradient-check desk-panel" },
    element("h3", {}, "Gradient check"),
    element("div", { class: "wide", tabindex: 0 }, table),
    age,
  );
  void whileFollowed(live.change, node, show);
  return node;
}

function slope(value: number): string {
  return value.toPrecision(4).replace("-", "−");
}
