import { figure } from "../../figures/figure.js";
import { stepArrows, stepParts } from "./algorithms.js";
import { flowChart, stageThing } from "./flowChart.js";

/** Where sorting, reduction and compare-and-swap stand in the way forward and back; each box leads to its chapter. */
export function algorithmFlow(width: number): HTMLElement {
  const boxes = stepParts.map(({ title, at, file, name, chapter, isAlgorithm }) => {
    const kind = isAlgorithm ? ("colored" as const) : undefined;
    return { id: title, title, note: name, at, kind, href: `./${chapter}`, things: [stageThing(file, name)] };
  });
  return figure(
    {
      title: "Where the three algorithms stand in a step",
      alt: "Forward: decode, gather, sort, blend, compare. Back: undo, adjoint, reduce, add up, update. Sort, reduce and add up are the parallel algorithms.",
      note: "Follow the grey arrows forward and the coloured ones back. In the three coloured boxes threads work together. Each box leads to its chapter.",
      isWide: true,
    },
    flowChart({ label: "A step of training: forward from left to right, then back", boxes, arrows: stepArrows }, width),
  );
}
