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
import { bufferDescriptions } from "./bufferDescriptions.js";
import { fileTabs } from "./fileTabs.js";
import type { KernelEdits } from "./kernelEdits.js";
import { cpuReferencesIn, descriptionOf } from "./kernelHeader.js";
import { gradientCheckTable, kernelStatus } from "./kernelPanels.js";
import type { LiveKernels } from "./liveKernels.js";
import { referencePanel } from "./referencePanel.js";

/** A stage of the pipeline, and its button in the list of stages. */
interface Stage {
  /** The file of its kernel. */
  file: string;
  /** The names under which its times are reported. */
  names: string[];
  button: HTMLButtonElement;
  time: HTMLElement;
  note: HTMLElement;
}

/** Snapshots over which the times of stages are averaged, since browsers round them. */
const timedSnapshots = 40;

/** The stages of the pipeline, the files of the chosen one in an editor, and their CPU references. */
type KernelEditor = HTMLElement & {
  /** Shows the stages of a configuration's pipeline. */
  show(config: TrainConfig): void;
  /** Opens a file at a line, in the first stage that has it. */
  openAt(file: string, line: number): void;
};

/** @param live trains with the edits; undefined where no kernel can run, and the editor is read-only */
export function kernelEditor(edits: KernelEdits, adapter: AdapterTraits, live?: LiveKernels): KernelEditor {
  let stages: Stage[] = [];
  let stage: Stage | undefined;
  let open = "";
  let showsChanges = false;
  const editors = new Map<string, Editor>();
  const list = html`<ol class="row stages" aria-label="Stages"></ol>`;
  const stageText = html`<p></p>`;
  const bindings = html`<div class="wide" tabindex="0"></div>`;
  const tabs = fileTabs("Files of the stage");
  const compare = button("Show changes", () => {
    showsChanges = !showsChanges;
    void showEditor();
    showTools();
  });
  const revert = button("Revert file", () => edits.revert(open));
  const revertAll = button("Revert all files", () => edits.revertAll());
  const runAnyway = button("Run anyway", () => live?.runAnyway());
  const editorSlot = html`<div class="editor-slot"></div>`;
  const messages = html`<ul class="kernel-messages" aria-live="polite" aria-label="Messages"></ul>`;
  const reference = referencePanel();
  const statusPanel =
    live &&
    html`<section class="card" aria-label="Status of your edits">
      <h3>Status of your edits</h3>
      ${kernelStatus(live)}
      <div class="row">${[compare, revert, revertAll, runAnyway]}</div>
      ${gradientCheckTable(live)}
    </section>`;
  const node = html`<div hidden>
    ${list}${stageText}
    <div class="desk">
      ${statusPanel}
      <section class="card desk-wgsl"><h3>WGSL</h3>${[tabs, editorSlot, messages]}</section>
      ${reference}
    </div>
    <section class="card"><h3>Buffers</h3>${bindings}</section>
  </div>`;
  oneTabStop(list);
  const filesIn = ({ file }: Stage) => filesOf(edits.library, file);

  const choose = async (next: Stage, file: string) => {
    stage = next;
    open = filesIn(next).includes(file) ? file : next.file;
    setText(stageText, descriptionOf(edits.shipped.get(next.file)));
    const references = [open, next.file].map((path) => cpuReferencesIn(edits.shipped.get(path)));
    void reference.show(references.find(({ length }) => length > 0) ?? []);
    const shown = showEditor();
    showEdits();
    showTabStop(list);
    await shown;
  };
  /** Opens a file in the first stage that has it. */
  const openFile = async (file: string, then: (editor: Editor) => void) => {
    const target = [stage, ...stages].find((one) => one && filesIn(one).includes(file));
    if (!target) return;
    await choose(target, file);
    const opened = editors.get(file);
    if (open === file && opened) then(opened);
  };
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
    const chosen = stage;
    for (const [path, one] of editors) one.setText(edits.text(path));
    const files = [...new Set([...filesIn(chosen), open])];
    tabs.show(
      files.map((file) => ({
        text: `${file}${edits.isChanged(file) ? " (changed)" : ""}`,
        isChosen: file === open,
        choose: () => void choose(chosen, file),
      })),
    );
    bindings.replaceChildren(bindingTable(edits.library, chosen.file));
    showTools();
    showStages();
  };
  const showTools = () => {
    const isChanged = edits.isChanged(open);
    compare.ariaPressed = String(showsChanges);
    compare.disabled = !isChanged && !showsChanges;
    revert.disabled = !isChanged;
    revertAll.disabled = Object.keys(edits.files).length === 0;
    runAnyway.hidden = live?.status !== "held";
  };
  const showStages = () => {
    const errors = live?.messages.filter(({ type }) => type === "error") ?? [];
    for (const one of stages) {
      const files = filesIn(one);
      const ownErrors = errors.filter(({ file }) => files.includes(file)).length;
      const changed = files.some((file) => edits.isChanged(file)) ? "changed" : "";
      setText(one.note, ownErrors > 0 ? counted(ownErrors, "error") : changed);
      one.button.parentElement!.classList.toggle("wrong", ownErrors > 0);
      one.button.ariaPressed = String(one === stage);
    }
  };
  const showTimes = () => {
    const latest = live?.run?.measured.slice(-timedSnapshots) ?? [];
    const recent = latest.map(({ stageTimes }) => stageTimes).filter((times) => times !== undefined);
    for (const one of stages) {
      const timed = recent.filter((times) => one.names.some((name) => name in times));
      const sum = timed.reduce((sum, times) => one.names.reduce((sum, name) => sum + (times[name] ?? 0), sum), 0);
      // The binned pipeline's `project` runs before the first step only; later steps project in `updateBlobs`.
      const untimed = recent.length > 0 ? "not in these steps" : "not timed";
      setText(one.time, timed.length > 0 ? time(sum / recent.length) : untimed);
    }
  };
  const showMessages = () => {
    const all = live?.messages ?? [];
    for (const [path, one] of editors) one.showMessages(all.filter(({ file }) => file === path));
    const items = all.map(({ file, line, column, type, text }) => {
      const onclick = () => void openFile(file, (editor) => editor.goTo(line, column));
      return html`<li class=${type === "error" && "wrong"}><button type="button" class="quiet" onclick=${onclick}>${file}, line ${line}</button> ${type}: ${text}</li>`;
    });
    if (messages.textContent === items.map(({ textContent }) => textContent).join("")) return;
    messages.replaceChildren(...items);
    showStages();
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
    show(config: TrainConfig) {
      node.hidden = false;
      stages = stagesOf(config, adapter, (one) => void choose(one, one.file));
      list.replaceChildren(...stages.map((one) => html`<li>${one.button}</li>`));
      const preferred = stage ? stageName(stage.file) : /rasterize$|computeDerivatives/;
      const all = [...stages.filter(({ file }) => stageName(file).match(preferred)), ...stages];
      // Keep the open file if the pipeline has it.
      void choose(all.find((one) => filesIn(one).includes(open)) ?? all[0], open);
      showTimes();
    },
    openAt: (file: string, line: number) => void openFile(file, (editor) => editor.reveal(line)),
  });
}

function stagesOf(config: TrainConfig, adapter: AdapterTraits, choose: (stage: Stage) => void): Stage[] {
  const byFile = group(Object.entries(kernelsOf(config, adapter)), ([, { file }]) => file);
  return Array.from(byFile, ([file, kernels]) => {
    const [time, note] = [0, 1].map(() => html`<span class="quiet"></span>`);
    const button = html<HTMLButtonElement>`<button type="button" onclick=${() => choose(stage)}>
      <strong>${stageName(file)}</strong>${[time, note]}
    </button>`;
    const stage = { file, names: kernels.map(([name]) => name), button, time, note };
    return stage;
  });
}

/** Returns the stage that a file is named after, without its kernel variant. */
function stageName(file: string): string {
  return file.replace(/^.*\/(?:\d-)?/, "").replace(/(Subgroup|Workgroup)?\.wgsl$/, "");
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
