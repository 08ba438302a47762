import { html } from "htl";
import type { Image } from "../../engine/image/image.js";
import { psnr } from "../../engine/image/metrics.js";
import { imageFigure } from "../images/imageFigure.js";
import { setText } from "../page/element.js";
import { count, decibels } from "../page/format.js";
import type { Run } from "../training/run.js";
import type { LiveKernels } from "./liveKernels.js";

/** Returns the renders of the shipped and the edited kernels side by side, at the same step of the same job. */
export function beforeAfter(live: LiveKernels): HTMLElement {
  const before = imageFigure("Shipped kernels", "Render of the shipped kernels");
  const after = imageFigure("Edited kernels", "Render of the edited kernels");
  const note = html`<p class="figure-note"></p>`;
  const node = html`<div class="before-after">${before}${after}${note}</div>`;
  const shown = new Map<HTMLElement, Image | undefined>();
  for (const figure of [before, after]) figure.classList.add("absent");
  const show = () => {
    const { run, shippedRun } = live;
    const edited = run === shippedRun ? undefined : run;
    const step = lastCommonStep(shippedRun, edited);
    setText(note, noteText(shippedRun !== undefined, edited !== undefined, step));
    for (const [figure, one, kernels] of [
      [before, shippedRun, "shipped"],
      [after, edited, "edited"],
    ] as const) {
      const frame = step === undefined ? undefined : one?.film.get(step);
      if (frame === shown.get(figure)) continue;
      shown.set(figure, frame);
      figure.classList.toggle("absent", !frame);
      if (!one || !frame) continue;
      const quality = `${decibels(qualityOf(frame, one.target.image))} with 8 bits`;
      figure.show(frame);
      figure.describe(quality, `Render of the ${kernels} kernels at step ${step}, PSNR ${quality}`);
    }
  };
  live.updateWhileShown(node, show);
  return node;
}

/** Returns the latest step at which both runs have a render; that of a single run if there is only one. */
function lastCommonStep(...runs: (Run | undefined)[]): number | undefined {
  const [first, ...others] = runs.filter((run) => run !== undefined);
  const steps = first ? [...first.film.keys()].filter((step) => others.every(({ film }) => film.has(step))) : [];
  return steps.length > 0 ? Math.max(...steps) : undefined;
}

function noteText(hasShipped: boolean, hasEdited: boolean, step: number | undefined): string {
  const at = step === undefined ? "" : `Both at step ${count(step)}.`;
  if (hasShipped && hasEdited) return at || "There is no common step yet.";
  if (hasEdited) return "The shipped kernels have not trained this job yet. Revert all files once to compare.";
  return "The render of your edits appears here, at the same step.";
}

function qualityOf({ width, height, data }: Image, target: Image): number {
  return psnr({ width, height, data: Float32Array.from(data, (byte) => byte / 255) }, target);
}
