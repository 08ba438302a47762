import { element } from "../components/page/element.js";
import { count } from "../components/page/format.js";
import { pictureFigure } from "../components/pictures/pictureFigure.js";
import type { Image } from "../engine/image.js";

/** The blobs' picture after so many steps. */
export interface Frame {
  step: number;
  image: Image;
}

/** Pictures of a run in the order of its steps, side by side; where they are too many they scroll sideways. */
export function filmStrip(frames: readonly Frame[]): HTMLElement {
  const figures = frames.map(({ step, image }) => {
    const name = step === 0 ? "the start" : `step ${count(step)}`;
    const figure = pictureFigure(name, `The blobs' picture, ${name}`);
    figure.show(image);
    return figure;
  });
  return element(
    "div",
    { class: "film-strip", tabindex: 0, role: "region", "aria-label": "Film of the run" },
    ...figures,
  );
}
