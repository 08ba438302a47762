import { html } from "htl";
import { imageWipe } from "../components/images/imageWipe.js";
import { counted, decibels } from "../components/page/format.js";
import type { Image } from "../engine/image/image.js";
import type { Report } from "./report.js";
import { psnrOf } from "./summary.js";

type Compared = Pick<Report, "target" | "render" | "description">;

/** The target and the render. */
type TargetComparison = HTMLElement & {
  /** Shows another render, or without arguments the final one. */
  show(image?: Image, name?: string): void;
  /** Replaces the final render by a later one of the same run. */
  update(report: Compared): void;
};

/**
 * Compares the final render with the target: with a movable divider, or side by side without scripts.
 * @param tools controls above the images
 */
export function targetComparison(report: Compared, ...tools: Node[]): TargetComparison {
  let latest = report;
  let frame: [image?: Image, name?: string] = [];
  const wipe = imageWipe();
  const show: TargetComparison["show"] = (...next) => {
    frame = next;
    const { target, render, description } = latest;
    const [image = render, name = ""] = frame;
    const label = counted(description.config.blobs, "blob");
    const alt = `Render of ${label}, PSNR ${decibels(psnrOf(description.result))}`;
    const side = name ? { image, label: name, alt: `Render, ${name}` } : { image, label, alt };
    wipe.show({ image: target, label: "target", alt: `Target: ${description.image.name}` }, side);
  };
  show();
  const node = html`<div>
    <p>Left: target. Right: render.${tools}</p>
    <div class="wipe">${wipe}</div>
  </div>`;
  const update = (next: Compared) => {
    latest = next;
    show(...frame);
  };
  return Object.assign(node, { show, update });
}
