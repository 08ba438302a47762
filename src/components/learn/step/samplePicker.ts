import { toImage } from "../../../engine/image/image.js";
import { uniformGenerator } from "../../../engine/random.js";
import { imageCanvas } from "../../figures/imageCanvas.js";
import { linkThings } from "../../figures/pointing.js";
import { gridPicker } from "../../inputs/gridPicker.js";
import { setInputValue } from "../../inputs/setInputValue.js";
import { element, setText } from "../../page/element.js";
import { count } from "../../page/format.js";
import type { Inspection, Run } from "../../training/run.js";
import { type StepSample, sampleAt, takeSample } from "./stepSample.js";

/** An input for `view`, whose value is one blob at one pixel of a run; undefined until it is shown a step of it. */
export type SamplePicker = HTMLElement & {
  value: StepSample | undefined;
  /** Looks at a step of the run; returns itself. */
  show(snapshot: Inspection): SamplePicker;
  take(x: number, y: number): void;
  takeAnother(): void;
};

/** Lets a reader choose a pixel of a run; of its blobs the one is taken whose centre it pulls at most. */
export function samplePicker({ config, target: { image } }: Run): SamplePicker {
  const { width, height } = image;
  const grid = gridPicker(element("canvas", { width, height }), {
    width,
    height,
    label: "Pixels of the run’s image; the figures show the chosen one",
  });
  const description = element("div");
  const errorLine = element("p", { class: "wrong-input", role: "status" });
  const sampleButton = newSampleButton(() => node.takeAnother());
  const sidePanel = element("div", {}, sampleButton, description, errorLine);
  const node = element("div", { class: "sample-picker" }, grid, sidePanel) as unknown as SamplePicker;
  let snapshot: Inspection | undefined;
  let sampleCount = 0;
  const set = (sample: StepSample | undefined, isAsked: boolean) => {
    if (!sample) return;
    grid.value = { column: sample.pixel.x, row: sample.pixel.y };
    description.replaceChildren(sampleLine(sample));
    setText(errorLine, "");
    setInputValue(node, sample, isAsked);
  };
  const runStateOf = ({ state, gradients }: Inspection) => ({ config, image, state, gradients });
  const take = (x: number, y: number, isAsked: boolean) => {
    const sample = snapshot && sampleAt(runStateOf(snapshot), { x, y });
    if (snapshot && !sample) setText(errorLine, `Pixel (${x}, ${y}) has no blob.`);
    set(sample, isAsked);
  };
  const takeAnother = (isAsked: boolean) =>
    set(snapshot && takeSample(runStateOf(snapshot), uniformGenerator(++sampleCount)), isAsked);
  node.take = (x, y) => take(x, y, true);
  node.takeAnother = () => takeAnother(true);
  node.show = (next) => {
    snapshot = next;
    grid.show(imageCanvas(toImage(snapshot.render), "The run’s image"));
    const pixel = node.value?.pixel;
    if (pixel) take(pixel.x, pixel.y, false);
    else takeAnother(false);
    return node;
  };
  grid.addEventListener("input", (event) => {
    event.stopPropagation();
    node.take(grid.value.column, grid.value.row);
  });
  return node;
}

export function newSampleButton(onclick: () => void): HTMLElement {
  return element("button", { type: "button", onclick }, "Choose another blob and pixel");
}

/** Which blob and pixel of the run is looked at. */
export function sampleLine({
  index,
  place: position,
  part,
  pixel: { x, y },
  state,
  target,
  alpha,
}: StepSample): HTMLElement {
  const color = `background: rgb(${target.map((channel) => 255 * channel).join(" ")})`;
  return element(
    "p",
    { class: "sample-line" },
    `At step ${count(state.step)}, `,
    linkThings(element("span", { tabindex: 0 }, `blob ${count(index)}`), `blob:${index}`),
    ` with α = ${alpha.toPrecision(3)}, number ${position + 1} of the ${part.blobs.length} at `,
    linkThings(element("span", { tabindex: 0 }, `pixel (${x}, ${y})`), `pixel:${x},${y}`),
    ", with the target colour ",
    element("span", { class: "sample-swatch", style: color }),
  );
}
