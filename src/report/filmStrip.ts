import { scrollIntoBox } from "../components/figures/scrollIntoBox.js";
import { imageFigure } from "../components/images/imageFigure.js";
import { element } from "../components/page/element.js";
import { count } from "../components/page/format.js";
import type { Image } from "../engine/image/image.js";

/** The blobs' picture after so many steps. */
export interface Frame {
  step: number;
  image: Image;
}

/** Pictures of a run, of which one is pointed out. */
type FilmStrip = HTMLElement & { show(frame: Frame): void };

/** What a frame is called: "the start", "step 64". */
export function frameName({ step }: Frame): string {
  return step === 0 ? "the start" : `step ${count(step)}`;
}

/**
 * Pictures of a run in the order of its steps, side by side; where they are too many they scroll sideways.
 * @param choose is called with one that is clicked
 */
export function filmStrip(frames: readonly Frame[], choose: (frame: Frame) => void): FilmStrip {
  const figures = frames.map((frame) => {
    const name = frameName(frame);
    const figure = imageFigure(name, `Render, ${name}`);
    figure.show(frame.image);
    figure.addEventListener("click", (event) => {
      // It chooses the frame, and pins nothing in it.
      event.stopPropagation();
      choose(frame);
    });
    return figure;
  });
  const node = element(
    "div",
    { class: "film-strip", tabindex: 0, role: "region", "aria-label": "Film of the run" },
    ...figures,
  );
  return Object.assign(node, {
    show(frame: Frame) {
      const at = frames.indexOf(frame);
      for (const [i, figure] of figures.entries()) figure.ariaCurrent = i === at ? "true" : null;
      scrollIntoBox(node, figures[at]);
    },
  });
}
