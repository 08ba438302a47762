import { html } from "htl";
import { setInputValue } from "../../inputs/setInputValue.js";
import { setText } from "../../page/element.js";
import { type BlendEvent, type Blending, editBlob, moveBlob, stepOf } from "./blendModel.js";
import { colorOf, type PixelStack, type StackBlob } from "./pixelStack.js";
import { channelsOf, hexOf } from "./swatch.js";

/** An input with the blobs of a stack as its value, with the reader's changes. */
export type BlobEditor = HTMLElement & {
  value: readonly StackBlob[];
  event: BlendEvent | undefined;
  /** Sets the event; its blob is the one that the controls change. */
  show(blending: Blending, eventIndex: number): void;
};

/** Returns controls for the opacity, colour and position of the current blob of a stack. */
export function blobEditor(stack: PixelStack): BlobEditor {
  let shownSteps: { index: number }[] = [];
  const change = (update: (index: number) => StackBlob[]) => {
    const step = stepOf(node.event);
    if (step) setInputValue(node, update(step.index));
  };
  const edit = (event: Event, values: Parameters<typeof editBlob>[3]) => {
    event.stopPropagation();
    change((index) => editBlob(stack, node.value, index, values));
  };
  const move = (offset: number) =>
    change((index) => {
      const neighbour = shownSteps[shownSteps.findIndex((step) => step.index === index) + offset];
      return moveBlob(node.value, index, neighbour.index, offset > 0);
    });
  const button = (text: string, onclick: () => void) =>
    html`<button type="button" onclick=${onclick}>${text}</button>` as HTMLButtonElement;
  const name = html`<strong>`;
  const opacityText = html`<span>`;
  const editOpacity = (event: Event) => edit(event, { opacity: opacity.valueAsNumber });
  const opacity = html`<input type="range" max="1" step="0.01" oninput=${editOpacity}>` as HTMLInputElement;
  const editColor = (event: Event) => {
    const [red, green, blue] = channelsOf(color.value);
    edit(event, { red, green, blue });
  };
  const color = html`<input type="color" oninput=${editColor}>` as HTMLInputElement;
  const earlier = button("Move earlier", () => move(-1));
  const later = button("Move later", () => move(1));
  const reset = button("Undo all changes", () => setInputValue(node, stack.blobs));
  const node = html`<div class="learn-controls blob-editor" role="group" aria-label="Change this blob">
    ${name}<label><span>Opacity ${opacityText}</span>${opacity}</label><label>Colour${color}</label>
    ${[earlier, later, reset]}
  </div>` as BlobEditor;
  node.value = stack.blobs;
  node.show = (blending, eventIndex) => {
    shownSteps = blending.shownSteps;
    node.event = blending.events[eventIndex];
    const step = stepOf(node.event);
    const position = shownSteps.findIndex(({ index }) => index === step?.index);
    setText(name, step ? `Blob ${step.index}` : "No blob here");
    opacity.disabled = color.disabled = !step;
    earlier.disabled = position <= 0;
    later.disabled = !step || position === shownSteps.length - 1;
    reset.disabled = node.value === stack.blobs;
    if (!step) return;
    opacity.valueAsNumber = step.blob.opacity;
    setText(opacityText, step.blob.opacity.toFixed(2));
    color.value = hexOf(colorOf(step.blob));
  };
  return node;
}
