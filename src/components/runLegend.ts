import type { TrainConfig } from "../engine/config.js";
import { element } from "./element.js";
import { count } from "./format.js";
import type { Lab } from "./lab.js";
import { fieldsToKeep } from "./link.js";
import { earlierDashes } from "./runLines.js";

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
      ...texts.map((text, i) => element("li", {}, stroke(i === 0 ? undefined : earlierDashes[i - 1]), text)),
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

function stroke(dash: string | undefined): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({ width: 28, height: 10, "aria-hidden": "true" }))
    svg.setAttribute(name, String(value));
  const line = document.createElementNS(svg.namespaceURI, "line") as SVGLineElement;
  const attributes = {
    x1: 0,
    x2: 28,
    y1: 5,
    y2: 5,
    stroke: dash ? "var(--earlier)" : "var(--current)",
    "stroke-width": dash ? 1.5 : 2.5,
    "stroke-dasharray": dash ?? "none",
  };
  for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, String(value));
  svg.append(line);
  return svg;
}
