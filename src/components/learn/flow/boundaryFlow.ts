import type { BrowserEngine } from "../../../host/browser.js";
import { element } from "../../element.js";
import { learnFigure } from "../learnFigure.js";
import { boundaryArrows, boundaryStages, type GradientKind } from "./boundaryModel.js";
import { chosenCode } from "./chosenCode.js";
import { flowDiagram } from "./flowDiagram.js";
import { thingOf } from "./stageFlow.js";

const verdicts: Record<GradientKind, string> = {
  smooth: "It has a gradient everywhere.",
  "almost everywhere": "It has a gradient, which is zero or bends in some places.",
  none: "It has no gradient, and none is passed through it.",
};

/** Which stages a gradient passes through and which not, with the reason and the code of the chosen one. */
export function boundaryFlow(engine: BrowserEngine): HTMLElement {
  const chosen = chosenCode(engine.shaders);
  const diagram = flowDiagram({
    label: "The forward calculation, and where gradients come back through it",
    boxes: boundaryStages.map(({ id, title, note, at, gradient, file, name, adjoint }) => ({
      id,
      title,
      note,
      at,
      kind: gradient === "none" ? "without" : "",
      things: [thingOf(file, name), ...(adjoint ? [thingOf(file, adjoint)] : [])],
    })),
    arrows: boundaryArrows,
    choose: (id) => show(id),
  });
  const show = (id: string) => {
    diagram.show(id);
    const { title, gradient, why, file, name, adjoint, twin } = boundaryStages.find((stage) => stage.id === id)!;
    chosen.show({
      title: `${title}: ${adjoint ?? name}`,
      words: [element("strong", {}, verdicts[gradient]), why],
      file,
      from: `fn ${adjoint ?? name}(`,
      twin,
    });
  };
  show("sort");
  const sample = (kind: string, words: string) =>
    element("span", {}, element("span", { class: `boundary-sample ${kind}` }), ` ${words}`);
  return learnFigure(
    {
      title: "Where gradients come through",
      alt: `With a gradient: ${namesOf(true)}. Without: ${namesOf(false)}.`,
      note: "Boxes with a broken frame decide something: they have no slope. Choose a box for the reason, and for its adjoint where it has one.",
      isWide: true,
    },
    diagram.node,
    element(
      "p",
      { class: "boundary-key" },
      sample("", "values, forward"),
      sample("gradient", "gradients, back"),
      sample("integers", "decisions and places: nothing comes back"),
    ),
    chosen.node,
  );
}

function namesOf(hasGradient: boolean): string {
  return boundaryStages
    .filter(({ gradient }) => (gradient !== "none") === hasGradient)
    .map(({ title }) => title.toLowerCase())
    .join(", ");
}
