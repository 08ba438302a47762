import type { BrowserEngine } from "../../../host/browser.js";
import { learnFigure } from "../learnFigure.js";
import { stepArrows, stepParts } from "./algorithmModel.js";
import { flowDiagram } from "./flowDiagram.js";
import { thingOf } from "./stageFlow.js";

/** Where sorting, reduction and compare-and-swap stand in the way forward and back; each box leads to its chapter. */
export function algorithmFlow(_engine?: BrowserEngine): HTMLElement {
  const diagram = flowDiagram({
    label: "A step of training: forward from left to right, then back",
    boxes: stepParts.map(({ id, title, at, file, name, chapter, isAlgorithm }) => ({
      id,
      title,
      note: name,
      at,
      kind: isAlgorithm ? "algorithm" : "",
      href: `./${chapter}`,
      things: [thingOf(file, name)],
    })),
    arrows: stepArrows,
  });
  return learnFigure(
    {
      title: "Where the three algorithms stand in a step",
      alt: "Forward: decode, gather, sort, blend, compare. Back: undo, adjoint, reduce, add up, update. Sort, reduce and add up are the parallel algorithms.",
      note: "Follow the grey arrows forward and the coloured ones back. In the three coloured boxes threads work together. Each box leads to its chapter.",
      isWide: true,
    },
    diagram.node,
  );
}
