import { toImage } from "../../../engine/image/image.js";
import { uniformGenerator } from "../../../engine/random.js";
import { canvasOf } from "../../figures/canvasOf.js";
import { standsFor } from "../../figures/pointed.js";
import { choose } from "../../inputs/choose.js";
import { gridPicker } from "../../inputs/gridPicker.js";
import { element, setText } from "../../page/element.js";
import { count } from "../../page/format.js";
import type { Look, Run } from "../../training/run.js";
import { type StepSample, sampleAt, takeSample } from "./stepSample.js";

/** An input for `view`, whose value is one blob at one pixel of a run; undefined until it is shown a step of it. */
export type SamplePicker = HTMLElement & {
  value: StepSample | undefined;
  /** Looks at a step of the run; returns itself. */
  show(look: Look): SamplePicker;
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
  const words = element("div");
  const wrong = element("p", { class: "wrong-input", role: "status" });
  const another = anotherButton(() => node.takeAnother());
  const beside = element("div", {}, another, words, wrong);
  const node = element("div", { class: "sample-picker" }, grid, beside) as unknown as SamplePicker;
  let look: Look | undefined;
  let taken = 0;
  const set = (sample: StepSample | undefined, isAsked: boolean) => {
    if (!sample) return;
    grid.value = { column: sample.pixel.x, row: sample.pixel.y };
    words.replaceChildren(sampleLine(sample));
    setText(wrong, "");
    choose(node, sample, isAsked);
  };
  const moment = ({ state, gradients }: Look) => ({ config, image, state, gradients });
  const take = (x: number, y: number, isAsked: boolean) => {
    const sample = look && sampleAt(moment(look), { x, y });
    if (look && !sample) setText(wrong, `Pixel (${x}, ${y}) has no blob.`);
    set(sample, isAsked);
  };
  const takeAnother = (isAsked: boolean) => set(look && takeSample(moment(look), uniformGenerator(++taken)), isAsked);
  node.take = (x, y) => take(x, y, true);
  node.takeAnother = () => takeAnother(true);
  node.show = (next) => {
    look = next;
    grid.show(canvasOf(toImage(look.picture), "The run’s image"));
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

export function anotherButton(onclick: () => void): HTMLElement {
  return element("button", { type: "button", onclick }, "Choose another blob and pixel");
}

/** Which blob and pixel of the run is looked at. */
export function sampleLine({ index, place, part, pixel: { x, y }, state, target, alpha }: StepSample): HTMLElement {
  const color = `background: rgb(${target.map((channel) => 255 * channel).join(" ")})`;
  return element(
    "p",
    { class: "sample-line" },
    `At step ${count(state.step)}, `,
    standsFor(element("span", { tabindex: 0 }, `blob ${count(index)}`), `blob:${index}`),
    ` with α = ${alpha.toPrecision(3)}, number ${place + 1} of the ${part.blobs.length} at `,
    standsFor(element("span", { tabindex: 0 }, `pixel (${x}, ${y})`), `pixel:${x},${y}`),
    ", with the target colour ",
    element("span", { class: "sample-swatch", style: color }),
  );
}
