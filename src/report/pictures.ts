import { element } from "../components/page/element.js";
import { counted, decibels } from "../components/page/format.js";
import { wiped } from "../components/pictures/wipe.js";
import type { Report } from "./report.js";
import { psnrOf } from "./summary.js";

/** The final picture against the target: with a divider where it can be moved, side by side where it cannot. */
export function comparison({ target, render, description }: Report): HTMLElement {
  const { image, config, result } = description;
  const told = decibels(psnrOf(result));
  const label = counted(config.blobs, "blob");
  const alts = [`The picture to learn: ${image.name}`, `The picture of ${label}: ${told} from the target`] as const;
  const wipe = wiped();
  wipe.show({ image: target, label: "target", alt: alts[0] }, { image: render, label, alt: alts[1] });
  return element(
    "div",
    {},
    element("p", {}, "To the left the target, to the right the blobs."),
    element("div", { class: "wipe" }, wipe),
  );
}
