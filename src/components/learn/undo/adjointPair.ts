import type { BrowserEngine } from "../../../host/browser.js";
import { element } from "../../element.js";
import { type CodePairing, codePair, codePairs } from "../codePair.js";
import { learnFigure } from "../learnFigure.js";

/** A blob's evaluation beside its adjoint, with the lines marked that belong together. */
export function adjointPair(engine: BrowserEngine): HTMLElement {
  const file = "shared/blob.wgsl";
  const forward: CodePairing = {
    wgsl: { file, from: "fn eval(" },
    twin: { file: "cpu/blob.ts", from: "export function alphaOf(" },
    marks: {
      "code:adjoint.ceiling": {
        wgsl: "return vec4f(blob.color, min(HIGHEST_ALPHA,",
        twin: "return Math.min(blob.ceiling, blob.opacity * falloff);",
      },
    },
  };
  const falloff: CodePairing = {
    wgsl: { file, from: "fn powerAt(" },
    twin: { file: "cpu/blob.ts", from: "export function evalFalloff(" },
    marks: {
      "code:adjoint.power": {
        wgsl: "return -0.5 * stretch * (d.x * d.x",
        twin: "return power >= lowestPower ? Math.exp(power) : 0;",
      },
    },
  };
  const backward = codePair(engine.shaders, {
    wgsl: { file, from: "fn evalBackward(" },
    twin: { file: "cpu/blob.ts", from: "export function evalBackward(" },
    marks: {
      "code:adjoint.ceiling": {
        wgsl: "let dAlpha = select(0.0, d.a, alpha < HIGHEST_ALPHA);",
        twin: "const d = alpha < blob.ceiling ? dAlpha : 0;",
      },
      "code:adjoint.power": {
        wgsl: "let dPoint = -dPower * stretch * (point",
        twin: "const dX = -dPower * stretch * (x - correlation * y);",
      },
    },
  });
  return learnFigure(
    {
      title: "Left a blob's evaluation, right its adjoint",
      alt: "The WGSL of a blob's evaluation and of its adjoint, each beside its twin on the CPU.",
      note: "Point at the line with the ceiling, or at the power: the line of the adjoint that takes it back is marked too.",
      isWide: true,
    },
    element(
      "div",
      { class: "learn-columns code-columns" },
      codePairs(engine.shaders, falloff, forward).node,
      backward.node,
    ),
  );
}
