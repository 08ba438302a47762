import { element, setText } from "../../element.js";
import type { BlobEdit } from "./blendModel.js";
import type { StackBlob } from "./pixelStack.js";

/** What the controls of a blob ask for. */
export interface BlobEditing {
  edit(edit: BlobEdit): void;
  move(by: -1 | 1): void;
  reset(): void;
}

/** Controls that change the blob whose turn it is. */
export class BlobEditor {
  readonly node: HTMLElement;
  readonly #name = element("strong", {}, "This blob");
  readonly #opacity: HTMLInputElement;
  readonly #opacityText = element("span", { class: "value" });
  readonly #color: HTMLInputElement;
  readonly #earlier: HTMLButtonElement;
  readonly #later: HTMLButtonElement;
  readonly #reset: HTMLButtonElement;

  constructor({ edit, move, reset }: BlobEditing) {
    this.#opacity = element("input", {
      type: "range",
      min: 0,
      max: 1,
      step: 0.01,
      oninput: () => edit({ opacity: this.#opacity.valueAsNumber }),
    });
    this.#color = element("input", { type: "color", oninput: () => edit({ color: channelsOf(this.#color.value) }) });
    this.#earlier = element("button", { type: "button", onclick: () => move(-1) }, "Move earlier");
    this.#later = element("button", { type: "button", onclick: () => move(1) }, "Move later");
    this.#reset = element("button", { type: "button", onclick: reset }, "Undo all changes");
    this.node = element(
      "div",
      { class: "learn-controls blob-editor", role: "group", "aria-label": "Change this blob" },
      this.#name,
      element("label", {}, element("span", {}, "Opacity ", this.#opacityText), this.#opacity),
      element("label", {}, "Colour", this.#color),
      this.#earlier,
      this.#later,
      this.#reset,
    );
  }

  /** Shows a blob's values; none disables the controls. */
  show(entry: StackBlob | undefined, canMove: { earlier: boolean; later: boolean }, isEdited: boolean): void {
    setText(this.#name, entry ? `Blob ${entry.index}` : "No blob here");
    for (const control of [this.#opacity, this.#color]) control.disabled = !entry;
    this.#earlier.disabled = !canMove.earlier;
    this.#later.disabled = !canMove.later;
    this.#reset.disabled = !isEdited;
    if (!entry) return;
    const { opacity, red, green, blue } = entry.blob;
    this.#opacity.valueAsNumber = opacity;
    setText(this.#opacityText, opacity.toFixed(2));
    const color = hexOf([red, green, blue]);
    if (this.#color.value !== color) this.#color.value = color;
  }
}

function channelsOf(hex: string): [number, number, number] {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
}

function hexOf(color: number[]): string {
  const bytes = color.map((c) => Math.round(255 * Math.min(Math.max(c, 0), 1)));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
