import { html } from "htl";
import { imageWipe } from "../components/images/imageWipe.js";
import { counted, decibels } from "../components/page/format.js";
import { errorMaps } from "../components/runs/errorMaps.js";
import { runFiles } from "../engine/files/runFiles.js";
import { type Frame, frameName } from "./filmStrip.js";
import type { Report } from "./report.js";
import { psnrOf } from "./summary.js";

/** The target and a render. */
type TargetComparison = HTMLElement & {
  /** Shows a frame of the film, or the final render. */
  show(frame?: Frame): void;
};

/**
 * Compares the final render with the target: with a movable divider, or side by side without scripts.
 * @param tools controls above the images
 */
export function targetComparison({ target, render, description }: Report, tools: Node): TargetComparison {
  const { config, image, result } = description;
  const wipe = imageWipe();
  const show = (frame?: Frame) => {
    const label = frame ? frameName(frame) : counted(config.blobs, "blob");
    const alt = frame ? `Render, ${label}` : `Render of ${label}, PSNR ${decibels(psnrOf(result))}`;
    wipe.show(
      { image: target, label: "target", alt: `Target: ${image.name}` },
      { image: frame?.image ?? render, label, alt },
    );
  };
  show();
  const { width, height } = target;
  const reduced =
    width < image.width
      ? ` Both are reduced to ${width}×${height} pixels; ${runFiles.target} and ${runFiles.render} in the run's folder have all.`
      : "";
  const node = html`<div>
    <p>Left: target. Right: render.${reduced}${tools}</p>
    <div class="wipe">${wipe}</div>
  </div>`;
  return Object.assign(node, { show });
}

/** Returns the error map of the final render. */
export function errorMapOf({ target, render, description }: Report): HTMLElement {
  return errorMaps([{ name: "Error map", render, target, note: `PSNR ${decibels(psnrOf(description.result))}` }]);
}
