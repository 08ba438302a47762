import { html } from "htl";
import { figure } from "../../figures/figure.js";
import { phoneViews } from "../../figures/phoneViews.js";
import { type BoundaryStage, boundaryArrows, boundaryStages, type GradientKind } from "./boundary.js";
import { flowChart, stageThing } from "./flowChart.js";
import { stageParts } from "./stageParts.js";

const verdicts: Record<GradientKind, string> = {
  smooth: "It has a gradient everywhere.",
  "almost everywhere": "It has a gradient, which is zero or discontinuous in some places.",
  none: "It has no gradient and passes none on.",
};

/** Returns a figure of the stages with and without a gradient, with the reason and the code of the chosen one. */
export async function boundaryFlow(
  { id: chosen, title, gradient, reason, file, name, adjoint = name, reference }: BoundaryStage,
  choose: (stage: BoundaryStage) => void,
  width: number,
): Promise<HTMLElement> {
  const boxes = boundaryStages.map(({ id, title, note, at, gradient, file, name, adjoint }) => {
    const things = [name, ...(adjoint ? [adjoint] : [])].map((functionName) => stageThing(file, functionName));
    return { id, title, note, at, kind: gradient === "none" ? ("dashed" as const) : undefined, things };
  });
  const description = [html`<strong>${verdicts[gradient]}</strong>`, reason];
  const parts = await stageParts(`${title}: ${adjoint}`, description, `${file}#${adjoint}`, reference);
  const legend = ["values, forward pass", "gradients, backward pass", "selections and positions: no gradient"];
  const flow = {
    label: "The forward pass, and the stages that gradients pass through",
    boxes,
    arrows: boundaryArrows,
    chosen,
    choose: (id: string) => choose(boundaryStages.find((stage) => stage.id === id)!),
  };
  return figure(
    {
      title: "Differentiable stages of a step",
      alt: `With a gradient: ${listTitles(true)}. Without: ${listTitles(false)}.`,
      note: "Boxes with a dashed frame select something: they have no gradient. Choose a stage for the reason, and for its adjoint where it has one.",
      isWide: true,
    },
    phoneViews("differentiable stages", {
      Chart: html`<div>${flowChart(flow, width)}
        <p class="flow-key">${legend.map((text, k) => html`<span class="flow-line-${k}">${text}</span>`)}</p></div>`,
      ...parts,
    }),
  );
}

function listTitles(hasGradient: boolean): string {
  const matching = boundaryStages.filter(({ gradient }) => (gradient !== "none") === hasGradient);
  return matching.map(({ title }) => title.toLowerCase()).join(", ");
}
