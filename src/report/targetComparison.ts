import { html } from "htl";
import { imageWipe } from "../components/images/imageWipe.js";
import { counted, decibels } from "../components/page/format.js";
import type { Image } from "../engine/image/image.js";
import type { Report } from "./report.js";
import { psnrOf } from "./summary.js";

/** The target and the render. */
type TargetComparison = HTMLElement & {
  /** Shows another render, or without arguments the final one. */
  show(image?: Image, name?: string): void;
};

/**
 * Compares the final render with the target: with a movable divider, or side by side without scripts.
 * @param tools controls above the images
 */
export function targetComparison(
  { target, render, description }: Pick<Report, "target" | "render" | "description">,
  ...tools: Node[]
): TargetComparison {
  const { image, config, result } = description;
  const psnrText = decibels(psnrOf(result));
  const label = counted(config.blobs, "blob");
  const alts = [`Target: ${image.name}`, `Render of ${label}, PSNR ${psnrText}`] as const;
  const wipe = imageWipe();
  const show = (image = render, name = "") => {
    const side = name ? { image, label: name, alt: `Render, ${name}` } : { image, label, alt: alts[1] };
    wipe.show({ image: target, label: "target", alt: alts[0] }, side);
  };
  show();
  const node = html`<div>
    <p>Left: target. Right: render.${tools}</p>
    <div class="wipe">${wipe}</div>
  </div>`;
  return Object.assign(node, { show });
}
