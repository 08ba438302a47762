import type { Image } from "../../engine/image.js";
import { element, uniqueId } from "../element.js";
import { decibels } from "../format.js";
import { PictureFigure } from "../pictureFigure.js";
import { errorMaps, type Pair } from "../runs/errorMaps.js";
import { Wipe, type WipeSide } from "../wipe.js";
import type { ComparedRun } from "./comparedRun.js";
import type { Comparison } from "./comparison.js";
import { forChosen, partsOf } from "./forChosen.js";

/** A picture that a side of the wipe can show. */
interface Choice {
  label: string;
  alt: string;
  image: Image;
}

/** The final pictures side by side, and any two of them, or a target, with a divider. */
export function comparePictures(comparison: Comparison): HTMLElement {
  const wipe = new Wipe();
  const note = element("p", { class: "wipe-status", role: "status" });
  const sides = [select("left of the divider"), select("right of it")];
  let choices: Choice[] = [];
  const show = () => {
    const [left, right] = sides.map(({ value }) => choices.find(({ label }) => label === value)) as WipeSide[];
    if (!left || !right) return;
    wipe.show(left, right);
    const isOneSize = left.image.width === right.image.width && left.image.height === right.image.height;
    const size = ({ image }: WipeSide) => `${image.width} × ${image.height}`;
    note.textContent = isOneSize
      ? ""
      : `They are of different sizes, ${size(left)} and ${size(right)} pixels; the right one is drawn as large as the left one.`;
  };
  for (const side of sides) side.addEventListener("change", show);
  const figure = element(
    "figure",
    { class: "wipe" },
    element("div", { class: "wipe-choices" }, ...sides.map((side) => field(side))),
    wipe.node,
    note,
  );

  return forChosen(comparison, 560, async (chosen) => {
    const [renders, targets] = await Promise.all([
      partsOf(comparison, chosen, "render"),
      partsOf(comparison, chosen, "target"),
    ]);
    choices = choicesOf(chosen, renders, targets);
    if (choices.length === 0) return undefined;
    const wanted = [choices[0].label, (choices[1] ?? choices[0]).label];
    for (const [i, side] of sides.entries()) {
      const before = side.value;
      side.replaceChildren(...choices.map(({ label }) => element("option", { value: label }, label)));
      side.value = choices.some(({ label }) => label === before) ? before : wanted[i];
    }
    show();
    return element("div", {}, figure, pictureGrid(chosen, renders));
  });
}

function select(label: string): HTMLSelectElement {
  return element("select", { id: uniqueId("wipe-side"), "data-label": label });
}

function field(control: HTMLSelectElement): HTMLElement {
  return element("div", { class: "field" }, element("label", { for: control.id }, control.dataset.label), control);
}

/** The renders by the names of their runs, then each target once. */
function choicesOf(
  chosen: readonly ComparedRun[],
  renders: (Image | undefined)[],
  targets: (Image | undefined)[],
): Choice[] {
  const drawn = chosen.flatMap(({ name, facts }, i) => {
    const image = renders[i];
    return image
      ? [{ label: name, alt: `The blobs' picture of ${name}, ${decibels(facts.psnr ?? Number.NaN)}`, image }]
      : [];
  });
  const wanted = new Map<string, Choice>();
  for (const [i, { facts }] of chosen.entries()) {
    const image = targets[i];
    const label = `target: ${facts.picture}`;
    if (image && !wanted.has(label)) wanted.set(label, { label, alt: `The picture to learn: ${facts.picture}`, image });
  }
  return [...drawn, ...wanted.values()];
}

function pictureGrid(chosen: readonly ComparedRun[], renders: (Image | undefined)[]): HTMLElement {
  const figures = chosen.flatMap(({ name, facts }, place) => {
    const image = renders[place];
    if (!image) return [];
    const figure = new PictureFigure(name, "");
    figure.show(image);
    figure.describe(decibels(facts.psnr ?? Number.NaN), `The blobs' picture of ${name}`);
    figure.node.dataset.run = String(place + 1);
    return [figure.node];
  });
  return element("div", { class: "picture-grid" }, ...figures);
}

/** Where each chosen run is off, on one scale. */
export function compareErrors(comparison: Comparison): HTMLElement {
  return forChosen(comparison, 360, async (chosen) => {
    const [renders, targets] = await Promise.all([
      partsOf(comparison, chosen, "render"),
      partsOf(comparison, chosen, "target"),
    ]);
    const places: number[] = [];
    const pairs = chosen.flatMap(({ name, facts }, place): Pair[] => {
      const [render, target] = [renders[place], targets[place]];
      if (!render || !target || render.data.length !== target.data.length) return [];
      places.push(place + 1);
      return [{ name, render, target, note: decibels(facts.psnr ?? Number.NaN) }];
    });
    if (pairs.length === 0) return undefined;
    const maps = errorMaps(pairs);
    for (const [i, figure] of maps.querySelectorAll("figure").entries()) figure.dataset.run = String(places[i]);
    return maps;
  });
}
