import { group } from "d3-array";
import { html } from "htl";
import type { TrainConfig } from "../../engine/config.js";
import type { AdapterTraits } from "../../engine/gpu/adapter.js";
import { filesOf } from "../../engine/gpu/declarations.js";
import { kernelsOf } from "../../engine/gpu/pipelines.js";
import { bindingsOf } from "../../engine/gpu/reachability.js";
import type { Editor } from "../editor/editor.js";
import { oneTabStop, showTabStop } from "../inputs/oneTabStop.js";
import { button, setText, tableOf } from "../page/element.js";
import { counted, time } from "../page/format.js";
import { updateWhileShown } from "../training/follow.js";
import { beforeAfter } from "./beforeAfter.js";
import { bufferDescriptions } from "./bufferDescriptions.js";
import { referenceLine, referenceText } from "./cpuReferences.js";
import type { KernelEdits } from "./kernelEdits.js";
import { type CpuReference, cpuReferencesIn, descriptionOf } from "./kernelHeader.js";
import { kernelStatus } from "./kernelPanels.js";
import type { LiveKernels } from "./liveKernels.js";
import { type SwitchPipeline, suggestedEditsPanel, switchButton } from "./suggestedEdits.js";

/** A stage of the pipeline: the file of its kernel, and the names under which its times are reported. */
interface Stage {
  file: string;
  names: string[];
}

/** Snapshots over which the times of stages are averaged, since browsers round them. */
const timedSnapshots = 40;

/** The stages of the pipeline, the files of the chosen one in an editor, and their CPU references. */
type KernelEditor = HTMLElement & {
  /** Shows the stages of a configuration's pipeline. */
  show(config: TrainConfig): void;
  /** Buttons that apply edits to try; undefined where no kernel can run. */
  suggestions: HTMLElement | undefined;
  destroy(): void;
};

/**
 * @param live trains with the edits; undefined where no kernel can run, and the editor is read-only
 * @param switchPipeline trains with another pipeline
 */
export function kernelEditor(
  edits: KernelEdits,
  adapter: AdapterTraits,
  live?: LiveKernels,
  switchPipeline: SwitchPipeline = () => {},
): KernelEditor {
  let stages: Stage[] = [];
  let stage: Stage | undefined;
  let open = "";
  let showsChanges = false;
  let shownReference: CpuReference | undefined;
  let referenceEditor: Editor | undefined;
  const editors = new Map<string, Editor>();
  const list = html`<ol class="stages" aria-label="Stages"></ol>`;
  const stageText = html`<p class="stage-text"></p>`;
  const bindings = html`<div class="stage-bindings wide" tabindex="0"></div>`;
  const tabs = html`<div class="file-tabs" role="group" aria-label="Files of the stage"></div>`;
  const compare = button("Show changes", () => {
    showsChanges = !showsChanges;
    void showEditor();
    showTools();
  });
  const revert = button("Revert file", () => edits.revert(open));
  const runAnyway = button("Run anyway", () => live?.runAnyway());
  const editorSlot = html`<div class="editor-slot"></div>`;
  const messages = html`<ul class="kernel-messages" aria-live="polite" aria-label="Messages"></ul>`;
  const referenceTabs = html`<div class="file-tabs" role="group" aria-label="CPU references"></div>`;
  const referenceSlot = html`<div class="editor-slot"></div>`;
  const statusPanel =
    live &&
    html`<section class="desk-panel desk-verdict" aria-label="Status of your edits">
      <h3>Status of your edits</h3>
      ${kernelStatus(live)}
      <div class="file-tools">${[compare, revert, runAnyway, switchButton(live, switchPipeline)]}</div>
    </section>`;
  const node = html`<div class="kernel-desk">
    ${list}${stageText}
    <div class="desk-columns desk">
      ${statusPanel}
      <section class="desk-panel desk-wgsl"><h3>WGSL</h3>${[tabs, editorSlot, messages]}</section>
      ${live && beforeAfter(live)}
      <section class="desk-panel desk-reference"><h3>CPU reference (TypeScript)</h3>${[referenceTabs, referenceSlot]}</section>
    </div>
    <h3>Buffers</h3>
    ${bindings}
  </div>`;
  for (const group of [list, tabs, referenceTabs]) oneTabStop(group);
  const filesIn = (one: Stage | undefined) => (one ? filesOf(edits.library, one.file) : []);

  const choose = (next: Stage, file: string): Promise<void> => {
    stage = next;
    open = filesIn(stage).includes(file) ? file : stage.file;
    setText(stageText, descriptionOf(edits.shipped.get(stage.file)));
    const shown = showEditor();
    showEdits();
    void showReference();
    return shown;
  };
  /** Opens a file in the first stage that has it. */
  const openFile = async (file: string, then: (editor: Editor) => void) => {
    const target = [stage, ...stages].find((one) => filesIn(one).includes(file));
    if (!target) return;
    await choose(target, file);
    const opened = editors.get(file);
    if (open === file && opened) then(opened);
  };
  const openAt = (file: string, line: number) => void openFile(file, (editor) => editor.reveal(line));
  const showEditor = async () => {
    const path = open;
    const { editor } = await import("../editor/editor.js");
    if (path !== open) return;
    const shown =
      editors.get(path) ??
      editor({
        text: edits.text(path),
        language: "wgsl",
        label: `WGSL of ${path}`,
        readOnly: !live,
        onChange: (text) => edits.set(path, text),
      });
    editors.set(path, shown);
    editorSlot.replaceChildren(shown.node);
    shown.compareWith(showsChanges ? edits.shipped.get(path) : undefined);
    showMessages();
  };
  /** Updates what depends on the edits: editors, tabs, bindings and stages. */
  const showEdits = () => {
    if (!stage) return;
    for (const [path, one] of editors) one.text = edits.text(path);
    const files = [...new Set([...filesIn(stage), open])];
    const tabOf = (file: string) =>
      tab(`${file}${edits.isChanged(file) ? " (changed)" : ""}`, file === open, () => choose(stage!, file));
    replaceTabs(tabs, files.map(tabOf));
    const chosen = tabs.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (chosen) tabs.scrollTop = chosen.offsetTop - tabs.offsetTop;
    showTools();
    bindings.replaceChildren(bindingTable(edits.library, stage.file));
    showStages();
  };
  const showTools = () => {
    const isChanged = edits.isChanged(open);
    compare.ariaPressed = String(showsChanges);
    compare.disabled = !isChanged && !showsChanges;
    revert.disabled = !isChanged;
    runAnyway.hidden = live?.status !== "held";
  };
  const showStages = () => {
    const focusedStage =
      document.activeElement instanceof HTMLElement ? document.activeElement.dataset.stage : undefined;
    const items = stages.map((one) => {
      const files = filesIn(one);
      const ownErrors = live?.messages.filter(({ file, type }) => type === "error" && files.includes(file)) ?? [];
      const isWrong = ownErrors.length > 0;
      const note = isWrong
        ? counted(ownErrors.length, "error")
        : files.some((file) => edits.isChanged(file))
          ? "changed"
          : "";
      const stageTab = tab("", one === stage, () => choose(one, one.file));
      stageTab.dataset.stage = one.file;
      stageTab.append(
        html`<strong>${stageName(one.file)}</strong>`,
        html`<span class="stage-time"></span>`,
        html`<span class="stage-note">${note}</span>`,
      );
      return html`<li class=${isWrong && "wrong"}>${stageTab}</li>`;
    });
    list.replaceChildren(...items);
    showTabStop(list);
    if (focusedStage) list.querySelector<HTMLElement>(`[data-stage="${CSS.escape(focusedStage)}"]`)?.focus();
    showTimes();
  };
  const showTimes = () => {
    const recent =
      live?.run?.measured.slice(-timedSnapshots).flatMap(({ stageTimes }) => (stageTimes ? [stageTimes] : [])) ?? [];
    const cells = list.querySelectorAll(".stage-time");
    for (const [index, { names }] of stages.entries()) {
      const timed = recent.filter((times) => names.some((name) => name in times));
      const sum = timed.reduce((sum, times) => names.reduce((sum, name) => sum + (times[name] ?? 0), sum), 0);
      // The binned pipeline's `project` runs before the first step only; later steps project in `updateBlobs`.
      const untimed = recent.length > 0 ? "not in these steps" : "not timed";
      if (cells[index]) setText(cells[index], timed.length > 0 ? time(sum / recent.length) : untimed);
    }
  };
  const showMessages = () => {
    const all = live?.messages ?? [];
    for (const [path, one] of editors) one.showMessages(all.filter(({ file }) => file === path));
    const items = all.map((message) => {
      const { file, line, column, type, text } = message;
      const onclick = () => void openFile(file, (editor) => editor.goTo(line, column));
      return html`<li class=${type === "error" && "wrong"}><button type="button" class="quiet" onclick=${onclick}>${file}, line ${line}</button> ${type}: ${text}</li>`;
    });
    if (messages.textContent === items.map(({ textContent }) => textContent).join("")) return;
    messages.replaceChildren(...items);
    showStages();
  };
  const showReference = async (chosen?: CpuReference) => {
    const named = [open, stage?.file ?? ""].map((file) => cpuReferencesIn(edits.shipped.get(file)));
    const all = named.find(({ length }) => length > 0) ?? [];
    const reference = chosen ?? all[0];
    shownReference = reference;
    const tabOf = (one: CpuReference) =>
      tab(`${one.name} in ${one.file}`, one === reference, () => void showReference(one));
    replaceTabs(referenceTabs, all.map(tabOf));
    if (!reference) return referenceSlot.replaceChildren(html`<p>This file has no CPU reference.</p>`);
    const [text, { editor }] = await Promise.all([referenceText(reference.file), import("../editor/editor.js")]);
    if (shownReference !== reference) return;
    referenceEditor?.destroy();
    const label = `CPU reference ${reference.name} in ${reference.file}`;
    referenceEditor = editor({ text, language: "typescript", label, readOnly: true });
    referenceSlot.replaceChildren(referenceEditor.node);
    referenceEditor.reveal(referenceLine(text, reference));
  };
  void updateWhileShown(edits.change, node, showEdits);
  if (live) {
    live.updateWhileShown(node, showTimes);
    void updateWhileShown(live.change, node, () => {
      showMessages();
      showTools();
    });
  }
  return Object.assign(node, {
    suggestions: live && suggestedEditsPanel(live, openAt, switchPipeline),
    show(config: TrainConfig) {
      stages = stagesOf(config, adapter);
      const preferred = stage ? stageName(stage.file) : /rasterize$|computeDerivatives/;
      const all = [...stages.filter(({ file }) => stageName(file).match(preferred)), ...stages];
      // Keep the open file if the pipeline has it.
      void choose(all.find((one) => filesIn(one).includes(open)) ?? all[0], open);
    },
    destroy() {
      // So that editors which are still loading do not open.
      open = "";
      shownReference = undefined;
      for (const one of [...editors.values(), referenceEditor]) one?.destroy();
    },
  });
}

function tab(text: string, isChosen: boolean, choose: () => void): HTMLButtonElement {
  return html<HTMLButtonElement>`<button type="button" aria-pressed="${isChosen}" onclick=${choose}>${text}</button>`;
}

/** Replaces tabs. If one of them had the focus, the chosen one has it next. */
function replaceTabs(group: HTMLElement, tabs: HTMLElement[]): void {
  const hasFocus = group.contains(document.activeElement);
  group.replaceChildren(...tabs);
  showTabStop(group);
  if (hasFocus) group.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
}

function stagesOf(config: TrainConfig, adapter: AdapterTraits): Stage[] {
  const byFile = group(Object.entries(kernelsOf(config, adapter)), ([, { file }]) => file);
  return Array.from(byFile, ([file, kernels]) => ({ file, names: kernels.map(([name]) => name) }));
}

/** Returns the stage that a file is named after, without its kernel variant. */
function stageName(file: string): string {
  return file.replace(/^.*\/(?:\d-)?/, "").replace(/(Subgroup|Workgroup|Thread)?\.wgsl$/, "");
}

function bindingTable(library: ReadonlyMap<string, string>, file: string): HTMLElement {
  const accesses = { uniform: "reads", read: "reads", read_write: "reads and writes" };
  const rows = bindingsOf(library, file).map(
    ({ binding, name, access, type }) => html`<tr>
      <td>${binding}</td>
      <th scope="row"><code>${name}</code></th>
      <td>${accesses[access]}</td>
      <td><code>${type}</code></td>
      <td>${bufferDescriptions[name] ?? "A buffer that you added."}</td>
    </tr>`,
  );
  return tableOf(["binding", "name", "access", "type", "contents"], rows, { class: "binding-table" });
}
