import { html } from "htl";
import { scrollIntoBox } from "../components/figures/scrollIntoBox.js";
import { imageFigure } from "../components/images/imageFigure.js";
import { count } from "../components/page/format.js";
import type { Image } from "../engine/image/image.js";

/** A render after a number of steps. */
export interface Frame {
  step: number;
  image: Image;
}

/** Renders of a run, one of them highlighted. */
type FilmStrip = HTMLElement & { show(frame: Frame): void };

/** Returns a frame's name, such as "the start" or "step 64". */
export function frameName({ step }: Frame): string {
  return step === 0 ? "the start" : `step ${count(step)}`;
}

/**
 * Returns the frames side by side in a box that scrolls sideways.
 * @param choose called with a frame that is clicked
 */
export function filmStrip(frames: readonly Frame[], choose: (frame: Frame) => void): FilmStrip {
  const figures = frames.map((frame) => {
    const name = frameName(frame);
    const figure = imageFigure(name, `Render, ${name}`);
    figure.show(frame.image);
    figure.onclick = (event) => {
      // A click in the image itself would pin a blob.
      event.stopPropagation();
      choose(frame);
    };
    return figure;
  });
  const node = html`<div class="film-strip" tabindex="0" role="region" aria-label="Film of the run">${figures}</div>`;
  return Object.assign(node, {
    show(frame: Frame) {
      const at = frames.indexOf(frame);
      for (const [i, figure] of figures.entries()) figure.ariaCurrent = i === at ? "true" : null;
      scrollIntoBox(node, figures[at]);
    },
  });
}
