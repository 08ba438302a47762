import type { TrainConfig } from "../../engine/config.js";
import { bindingsOf, filesOf, headOf } from "../../engine/gpu/declarations.js";
import type { AdapterTraits } from "../../engine/gpu/device.js";
import { kernelsOf } from "../../engine/gpu/kernels.js";
import { composeShader, type ShaderMessage } from "../../engine/gpu/shaders.js";
import { type Editor, editor } from "../editor/editor.js";
import { element } from "../page/element.js";
import { counted, time } from "../page/format.js";
import { bufferWords } from "./bufferWords.js";
import type { KernelEdits } from "./kernelEdits.js";
import type { LiveKernels } from "./liveKernels.js";
import { lineOfTwin, twinText } from "./twins.js";
import { type Twin, twins } from "./twinTable.js";

/** A kernel of the pipeline: its file, and the names under which its times are reported. */
interface Stage {
  file: string;
  names: string[];
}

/** Snapshots over which a stage's time is averaged: browsers round such times. */
const timedSnapshots = 40;

/** The desk: the pipeline's stages, the chosen one's files in an editor, and beside them what the CPU engine does. */
export class KernelDesk {
  readonly node: HTMLElement;
  #stages: Stage[] = [];
  #stage: Stage | undefined;
  #file = "";
  #compares = false;
  #shownTwin: Twin | undefined;
  readonly #editors = new Map<string, Editor>();
  #twinEditor: Editor | undefined;
  readonly #list = element("ol", { class: "stages", "aria-label": "Stages" });
  readonly #words = element("p", { class: "stage-words" });
  readonly #bindings = element("div", { class: "stage-bindings wide" });
  readonly #tabs = element("div", { class: "file-tabs", role: "group", "aria-label": "Files of the stage" });
  readonly #fileTools = element("div", { class: "file-tools" });
  readonly #place = element("div", { class: "editor-place" });
  readonly #messages = element("ul", { class: "kernel-messages", "aria-live": "polite", "aria-label": "Messages" });
  readonly #twinTabs = element("div", { class: "file-tabs", role: "group", "aria-label": "Twins on the CPU" });
  readonly #twinPlace = element("div", { class: "editor-place" });

  /** @param live what trains; undefined where no kernel can run, and the kernels are to be read */
  constructor(
    readonly edits: KernelEdits,
    readonly adapter: AdapterTraits,
    readonly live?: LiveKernels,
  ) {
    const panel = (title: string, ...content: HTMLElement[]) =>
      element("section", { class: "desk-panel" }, element("h3", {}, title), ...content);
    this.node = element(
      "div",
      { class: "kernel-desk" },
      this.#list,
      this.#words,
      element(
        "div",
        { class: "desk-columns" },
        panel("WGSL", this.#tabs, this.#place, this.#fileTools, this.#messages),
        panel("Its twin on the CPU, in TypeScript", this.#twinTabs, this.#twinPlace),
      ),
      element("h3", {}, "What it reads and writes"),
      this.#bindings,
    );
    edits.observe(() => this.#showEdits());
    live?.observe(() => this.#showMessages());
  }

  /** Shows the pipeline of a config. */
  show(config: TrainConfig): void {
    this.#stages = stagesOf(config, this.adapter);
    const wanted = this.#stage ? stageName(this.#stage.file) : /rasterize$|computeDerivatives/;
    const named = this.#stages.filter(({ file }) => stageName(file).match(wanted));
    const all = [...named, ...this.#stages];
    // The open file stays, where the pipeline has it.
    const stage = all.find(({ file }) => filesOf(this.edits.library, file).includes(this.#file)) ?? all[0];
    this.#choose(stage, this.#file);
  }

  /** Opens a file at a line, in the first stage that has it. */
  open(file: string, line = 1, column = 1): void {
    const has = (stage: Stage | undefined) => stage && filesOf(this.edits.library, stage.file).includes(file);
    const stage = has(this.#stage) ? this.#stage : this.#stages.find(has);
    if (!stage) return;
    this.#choose(stage, file);
    this.#editors.get(file)?.goTo(line, column);
  }

  /** Frees what the editors hold. */
  destroy(): void {
    for (const one of this.#editors.values()) one.destroy();
    this.#twinEditor?.destroy();
  }

  #choose(stage: Stage, file: string): void {
    this.#stage = stage;
    const files = filesOf(this.edits.library, stage.file);
    this.#file = files.includes(file) ? file : stage.file;
    this.#words.textContent = wordsOf(this.edits.shipped.get(stage.file) ?? "");
    this.#showEditor();
    this.#showEdits();
    this.#showMessages();
    void this.#showTwin();
  }

  #showEditor(): void {
    const path = this.#file;
    let shown = this.#editors.get(path);
    if (!shown) {
      shown = editor({
        text: this.edits.text(path),
        language: "wgsl",
        label: `WGSL of ${path}`,
        readOnly: !this.live,
        onChange: (text) => this.edits.set(path, text),
      });
      this.#editors.set(path, shown);
    }
    this.#place.replaceChildren(shown.node);
    shown.compareWith(this.#compares ? this.edits.shipped.get(path) : undefined);
  }

  /** What depends on the text: stages, tabs, bindings, and editors whose text was set back. */
  #showEdits(): void {
    if (!this.#stage) return;
    const { library } = this.edits;
    for (const [path, one] of this.#editors) one.text = this.edits.text(path);
    const files = filesOf(library, this.#stage.file);
    if (!files.includes(this.#file)) files.push(this.#file);
    this.#tabs.replaceChildren(
      ...files.map((file) => {
        const isChanged = this.edits.isChanged(file);
        const choose = () => this.#choose(this.#stage!, file);
        return tab(`${file}${isChanged ? " (changed)" : ""}`, file === this.#file, choose);
      }),
    );
    const chosen = this.#tabs.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (chosen) this.#tabs.scrollTop = chosen.offsetTop - this.#tabs.offsetTop;
    const isChanged = this.edits.isChanged(this.#file);
    const compare = element(
      "button",
      {
        type: "button",
        disabled: !isChanged && !this.#compares,
        "aria-pressed": String(this.#compares),
        onclick: () => {
          this.#compares = !this.#compares;
          this.#showEditor();
          this.#showEdits();
        },
      },
      "Show what changed",
    );
    const revert = element(
      "button",
      { type: "button", disabled: !isChanged, onclick: () => this.edits.revert(this.#file) },
      "Revert this file",
    );
    if (this.live) this.#fileTools.replaceChildren(compare, revert);
    this.#bindings.replaceChildren(bindingTable(library, this.#stage.file));
    this.#showStages();
  }

  #showStages(): void {
    const { library } = this.edits;
    const messages = this.live?.messages ?? [];
    const held = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.stage : undefined;
    this.#list.replaceChildren(
      ...this.#stages.map((stage) => {
        const files = filesOf(library, stage.file);
        const own = messages.filter(({ file, type }) => type === "error" && files.includes(file));
        const isChanged = files.some((file) => this.edits.isChanged(file));
        const note = own.length > 0 ? counted(own.length, "error") : isChanged ? "changed" : "";
        return element(
          "li",
          { class: own.length > 0 ? "wrong" : undefined },
          element(
            "button",
            {
              type: "button",
              "data-stage": stage.file,
              "aria-pressed": String(stage === this.#stage),
              onclick: () => this.#choose(stage, stage.file),
            },
            element("strong", {}, stageName(stage.file)),
            element("span", { class: "stage-time" }),
            element("span", { class: "stage-note" }, note),
          ),
        );
      }),
    );
    if (held) this.#list.querySelector<HTMLElement>(`[data-stage="${CSS.escape(held)}"]`)?.focus();
    this.showTimes();
  }

  /** Shows what each stage has taken of late. */
  showTimes(): void {
    const recent = this.live?.run?.measured.slice(-timedSnapshots).filter(({ stageTimes }) => stageTimes) ?? [];
    const cells = this.#list.querySelectorAll<HTMLElement>(".stage-time");
    for (const [index, { names }] of this.#stages.entries()) {
      const mean = (name: string) =>
        recent.reduce((sum, { stageTimes }) => sum + (stageTimes?.[name] ?? 0), 0) / Math.max(recent.length, 1);
      const isTimed = recent.some(({ stageTimes }) => names.some((name) => stageTimes && name in stageTimes));
      const text = isTimed ? time(names.reduce((sum, name) => sum + mean(name), 0)) : "not timed";
      if (cells[index] && cells[index].textContent !== text) cells[index].textContent = text;
    }
  }

  #showMessages(): void {
    const messages = this.live?.messages ?? [];
    for (const [path, one] of this.#editors) {
      one.showMessages(messages.filter(({ file }) => file === path));
    }
    const before = this.#messages.textContent;
    const items = messages.map((message) => this.#messageItem(message));
    if (before !== items.map(({ textContent }) => textContent).join("")) {
      this.#messages.replaceChildren(...items);
      this.#showStages();
    }
  }

  #messageItem({ file, line, column, type, text }: ShaderMessage): HTMLElement {
    const go = () => this.open(file, line, column);
    const where = element("button", { type: "button", class: "quiet", onclick: go }, `${file}, line ${line}`);
    return element("li", { class: type === "error" ? "wrong" : undefined }, where, ` ${type}: ${text}`);
  }

  async #showTwin(chosen?: Twin): Promise<void> {
    const own = twins[this.#file] ?? [];
    const all = own.length > 0 ? own : (twins[this.#stage?.file ?? ""] ?? []);
    const twin = chosen ?? all[0];
    this.#shownTwin = twin;
    const choose = (one: Twin) => () => void this.#showTwin(one);
    this.#twinTabs.replaceChildren(...all.map((one) => tab(`${one.name} in ${one.file}`, one === twin, choose(one))));
    if (!twin) {
      this.#twinPlace.replaceChildren(element("p", {}, "The CPU engine has no need of this."));
      return;
    }
    const text = await twinText(twin);
    if (this.#shownTwin !== twin) return;
    this.#twinEditor?.destroy();
    this.#twinEditor = editor({
      text,
      language: "typescript",
      label: `Twin ${twin.name} in ${twin.file}`,
      readOnly: true,
    });
    this.#twinPlace.replaceChildren(this.#twinEditor.node);
    this.#twinEditor.reveal(lineOfTwin(text, twin));
  }
}

function tab(text: string, isChosen: boolean, choose: () => void): HTMLElement {
  return element("button", { type: "button", "aria-pressed": String(isChosen), onclick: choose }, text);
}

/** The stages in their order; kernels of one file are one. */
function stagesOf(config: TrainConfig, adapter: AdapterTraits): Stage[] {
  const byFile = new Map<string, string[]>();
  for (const [name, { file }] of Object.entries(kernelsOf(config, adapter))) {
    byFile.set(file, [...(byFile.get(file) ?? []), name]);
  }
  return Array.from(byFile, ([file, names]) => ({ file, names }));
}

/** The stage that a file is named after, whoever it is divided among. */
function stageName(file: string): string {
  return file.replace(/^.*\//, "").replace(/(Subgroup|Workgroup|Thread)?\.wgsl$/, "");
}

/** What a file says of itself, in its first lines. */
function wordsOf(text: string): string {
  return headOf(text).replace(/\s*Twin:.*$/, "");
}

function bindingTable(library: ReadonlyMap<string, string>, file: string): HTMLElement {
  const accesses = { uniform: "reads", read: "reads", write: "writes", read_write: "reads and writes" };
  try {
    const rows = bindingsOf(composeShader(library, file)).map(({ binding, name, access, type }) =>
      element(
        "tr",
        {},
        element("td", {}, String(binding)),
        element("th", { scope: "row" }, element("code", {}, name)),
        element("td", {}, accesses[access]),
        element("td", {}, element("code", {}, type)),
        element("td", {}, bufferWords[name] ?? "A buffer of the reader's own."),
      ),
    );
    const heads = ["binding", "name", "this stage", "type", "what it holds"];
    return element(
      "table",
      { class: "binding-table" },
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...rows),
    );
  } catch (error) {
    return element("p", {}, `The stage's text cannot be put together: ${(error as Error).message}.`);
  }
}
