import { html } from "htl";
import { toImage } from "../../../engine/image/image.js";
import { uniformGenerator } from "../../../engine/random.js";
import { imageCanvas } from "../../figures/imageCanvas.js";
import { linkThings } from "../../figures/pointing.js";
import { swatch } from "../../figures/swatch.js";
import { gridPicker } from "../../inputs/gridPicker.js";
import { setInputValue } from "../../inputs/setInputValue.js";
import { setText } from "../../page/element.js";
import { count } from "../../page/format.js";
import type { Inspection, Run } from "../../training/run.js";
import { isTypical, type StepSample, sampleAt, takeSample } from "./stepSample.js";

/** An input for `view` with one blob at one pixel of a run as its value; undefined before it shows a step. */
export type SamplePicker = HTMLElement & {
  value: StepSample | undefined;
  /** Shows a step of the run; returns itself. */
  show(snapshot: Inspection): SamplePicker;
  take(x: number, y: number): void;
  takeAnother(): void;
};

/** Returns a picker of a pixel of a run, which chooses the blob at that pixel with the largest gradient of its centre. */
export function samplePicker({ config, target: { image } }: Run): SamplePicker {
  const { width, height } = image;
  const grid = gridPicker(html`<canvas>`, {
    width,
    height,
    label: "Pixels of the run’s image; the figures show the chosen one",
  });
  const description = html`<div>`;
  const errorLine = html`<p class="wrong-input" role="status">`;
  const panel = html`<div>${[newSampleButton(() => node.takeAnother()), description, errorLine]}</div>`;
  const node =
    html`<div class="sample-picker learn-columns" style="--first: 15rem">${grid}${panel}</div>` as SamplePicker;
  let snapshot: Inspection | undefined;
  let sampleCount = 0;
  let isChosenByReader = false;
  const choose = (sample: StepSample | undefined, isByReader: boolean) => {
    if (!sample) return;
    grid.value = { column: sample.pixel.x, row: sample.pixel.y };
    description.replaceChildren(sampleLine(sample));
    setText(errorLine, "");
    isChosenByReader ||= isByReader;
    setInputValue(node, sample, isByReader);
  };
  const runStateOf = ({ state, gradients }: Inspection) => ({ config, image, state, gradients });
  const take = (x: number, y: number, isByReader: boolean) => {
    if (!snapshot) return;
    const sample = sampleAt(runStateOf(snapshot), { x, y });
    if (sample) choose(sample, isByReader);
    else setText(errorLine, `Pixel (${x}, ${y}) has no blob.`);
  };
  const takeAnother = (isByReader: boolean) => {
    if (snapshot) choose(takeSample(runStateOf(snapshot), uniformGenerator(++sampleCount)), isByReader);
  };
  node.take = (x, y) => take(x, y, true);
  node.takeAnother = () => takeAnother(true);
  node.show = (next) => {
    snapshot = next;
    grid.show(imageCanvas(toImage(snapshot.render), "The run’s image"));
    const before = node.value;
    if (before) take(before.pixel.x, before.pixel.y, false);
    // The page's own example can become a bad one while the run trains.
    const isWorse = before && !isChosenByReader && isTypical(before) && !isTypical(node.value!);
    if (!before || isWorse) takeAnother(false);
    return node;
  };
  grid.oninput = (event) => {
    event.stopPropagation();
    node.take(grid.value.column, grid.value.row);
  };
  return node;
}

export function newSampleButton(onclick: () => void): HTMLElement {
  return html`<button type="button" onclick=${onclick}>Choose another blob and pixel</button>`;
}

/** Returns a line with the chosen blob and pixel of the run. */
export function sampleLine({ index, place, part, pixel: { x, y }, state, target, alpha }: StepSample): HTMLElement {
  const link = (text: string, thing: string) => linkThings(html`<span tabindex="0">${text}</span>`, thing);
  const blob = link(`blob ${count(index)}`, `blob:${index}`);
  const pixel = link(`pixel (${x}, ${y})`, `pixel:${x},${y}`);
  return html`<p class="sample-line">At step ${count(state.step)}, ${blob} with α = ${alpha.toPrecision(3)}, number ${place + 1} of the ${part.blobs.length} at ${pixel}, with the target colour ${swatch(target)}</p>`;
}
