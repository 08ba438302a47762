import { imageWipe } from "../components/images/imageWipe.js";
import { element } from "../components/page/element.js";
import { counted, decibels } from "../components/page/format.js";
import type { Image } from "../engine/image/image.js";
import type { Report } from "./report.js";
import { psnrOf } from "./summary.js";

/** The target and the blobs' picture. */
type TargetComparison = HTMLElement & {
  /** Shows the picture at another step in place of the final one, which it does with no argument. */
  show(image?: Image, name?: string): void;
};

/**
 * The final picture against the target: with a divider where it can be moved, side by side where it cannot.
 * @param tools what stands above the pictures
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
  const node = element(
    "div",
    {},
    element("p", {}, "Left: target. Right: render.", ...tools),
    element("div", { class: "wipe" }, wipe),
  );
  return Object.assign(node, { show });
}
