import { html } from "htl";
import { imageWipe } from "../components/images/imageWipe.js";
import { counted, decibels } from "../components/page/format.js";
import { errorMaps } from "../components/runs/errorMaps.js";
import { type Frame, frameName } from "./filmStrip.js";
import type { Report } from "./report.js";
import { psnrOf } from "./summary.js";

type Compared = Pick<Report, "target" | "render" | "description">;

/** The target and a render. */
type TargetComparison = HTMLElement & {
  /** Shows a frame of the film, or the final render. */
  show(report: Compared, frame?: Frame): void;
};

/**
 * Compares the final render with the target: with a movable divider, or side by side without scripts.
 * @param tools controls above the images
 */
export function targetComparison(report: Compared, ...tools: Node[]): TargetComparison {
  const wipe = imageWipe();
  const show = ({ target, render, description }: Compared, frame?: Frame) => {
    const { config, image, result } = description;
    const label = frame ? frameName(frame) : counted(config.blobs, "blob");
    const alt = frame ? `Render, ${label}` : `Render of ${label}, PSNR ${decibels(psnrOf(result))}`;
    wipe.show(
      { image: target, label: "target", alt: `Target: ${image.name}` },
      { image: frame?.image ?? render, label, alt },
    );
  };
  show(report);
  const node = html`<div>
    <p>Left: target. Right: render.${tools}</p>
    <div class="wipe">${wipe}</div>
  </div>`;
  return Object.assign(node, { show });
}

/** Returns the error map of the final render. */
export function errorMapOf({ target, render, description }: Compared): HTMLElement {
  return errorMaps([{ name: "Error map", render, target, note: `PSNR ${decibels(psnrOf(description.result))}` }]);
}
