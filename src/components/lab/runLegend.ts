import type { TrainConfig } from "../../engine/config.js";
import { element } from "../element.js";
import { count } from "../format.js";
import { lineSwatch } from "../runs/lineSwatch.js";
import { fieldsToKeep } from "../training/link.js";
import type { Lab } from "./lab.js";
import { earlierDashes } from "./labLines.js";

/** Which line is which run. */
export function runLegend(lab: Lab): HTMLElement {
  const lines = element("ul", { class: "run-lines" });
  let shown = "";
  lab.observe(() => {
    if (!lab.run) return;
    const { config } = lab.run;
    const earlier = lab.earlier.toReversed();
    const texts = [
      `this run: ${count(config.blobs)} blobs`,
      ...earlier.map((curve) => difference(curve.config, config)),
    ];
    if (shown === texts.join("\n")) return;
    shown = texts.join("\n");
    lines.replaceChildren(
      ...texts.map((text, i) => {
        const style =
          i === 0
            ? { stroke: "var(--current)", strokeWidth: 2.5 }
            : { stroke: "var(--earlier)", strokeWidth: 1.5, strokeDasharray: earlierDashes[i - 1] };
        return element("li", {}, lineSwatch(style), text);
      }),
    );
  });
  return lines;
}

/** In what an earlier run differed. */
function difference(earlier: TrainConfig, config: TrainConfig): string {
  const texts = Object.entries(fieldsToKeep(earlier, config)).map(
    ([field, value]) => `${field} ${Array.isArray(value) ? value.join("×") : value}`,
  );
  return `before: ${texts.length > 0 ? texts.join(", ") : "the same settings"}`;
}
