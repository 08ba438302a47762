import type { Parameterization } from "../../../engine/blobs.js";
import type { Composite } from "../../../engine/config.js";
import { valueNames } from "../../../engine/cpu/blob.js";
import type { CodeMark, CodePairing } from "../codePair.js";
import type { AdjointStage } from "./stageAdjoint.js";

/** The thing that the code of a stage's input stands for, with a composite. */
export function codeThing(stage: AdjointStage, input: number, composite: Composite): string {
  return stage in composited ? `code:${stage}.${composite}.${input}` : `code:${stage}.${input}`;
}

/** A stage's adjoint in WGSL and in TypeScript, with the lines of each input's term. */
export function adjointCode(stage: AdjointStage, parameterization: Parameterization): CodePairing {
  if (isComposited(stage)) {
    const composites = ["seed", "white", "black"] as const;
    const marks = composites.flatMap((composite) =>
      composited[stage](composite).map((line, input) => [codeThing(stage, input, composite), line] as const),
    );
    return { ...lossBackward(stage), marks: Object.fromEntries(marks) };
  }
  const { wgsl, twin, lines } = stage === "decode" ? decoding(parameterization) : code[stage];
  return {
    wgsl,
    twin,
    marks: Object.fromEntries(lines.map((line, input) => [`code:${stage}.${input}`, line])),
  };
}

/** As a pairing, but with the lines in the order of the inputs. */
type Code = Pick<CodePairing, "wgsl" | "twin"> & { lines: CodeMark[] };

function decoding(parameterization: Parameterization): Code {
  if (parameterization === "smoothstep") {
    const wgsl = [
      "d.center * vec2f(smooth01Backward(raw.center.x)",
      "d.variance * vec2f(smooth01Backward(0.8 * raw.variance.x)",
      "d.correlation * smooth01Backward",
      "d.color * 0.8 * vec3f(",
      "d.opacity * smooth01Backward",
    ];
    return {
      wgsl: { file: "shared/smoothstep.wgsl", from: "fn decodeSmoothstepBackward" },
      twin: { file: "cpu/blob.ts", from: "function decodeSmoothstep(raw" },
      lines: valueNames.map((name, field) => ({ wgsl: wgsl[groups[field]], twin: `${name}: smoothstepBackward(` })),
    };
  }
  const wgsl = [
    "d.center / textureSize,",
    "d.variance * 2.0 * exp(2.0 * raw.variance)",
    "d.correlation * HIGHEST_CORRELATION",
    "    d.color,",
    "d.opacity * opacity * (1.0 - opacity)",
  ];
  const twin = [
    "centerX: 1 / width",
    "centerY: 1 / height",
    "varianceX: (2 * squareX)",
    "varianceY: (2 * squareY)",
    "correlation: (highestCorrelation * 4",
    "red: 1,",
    "green: 1,",
    "blue: 1,",
    "opacity: opacity * (1 - opacity)",
  ];
  return {
    wgsl: { file: "shared/direct.wgsl", from: "fn decodeDirectBackward" },
    twin: { file: "cpu/blob.ts", from: "function decodeDirect(raw" },
    lines: twin.map((line, field) => ({ wgsl: wgsl[groups[field]], twin: line })),
  };
}

/** Of each raw parameter. */
const groups = [0, 0, 1, 1, 2, 3, 3, 3, 4];

const evalBackward = {
  wgsl: { file: "shared/blob.wgsl", from: "fn evalBackward" },
  twin: { file: "cpu/blob.ts", from: "export function evalBackward(" },
} as const;

const blend: CodeMark[] = [
  ...["red", "green", "blue"].map(() => ({ wgsl: "vec4f(d.rgb, d.a * (1.0 - ATTENUATION" })),
  { wgsl: "vec4f(d.rgb, d.a * (1.0 - ATTENUATION", twin: "d.transmittance = d.transmittance * (1 -" },
  ...["red", "green", "blue"].map((color) => ({
    wgsl: "vec4f(d.rgb * blob.a * pixel.a",
    twin: `gradient.${color} = d.${color} * weight`,
  })),
  { wgsl: "vec4f(d.rgb * blob.a * pixel.a", twin: "const dAlpha = before.transmittance *" },
];

const undoBlob: CodeMark = {
  wgsl: "return vec4f(pixel.rgb - blob.a * transmittance",
  twin: "state.red -= weight * color.red",
};
const undoTransmittance: CodeMark = {
  wgsl: "let transmittance = pixel.a /",
  twin: "state.transmittance /= 1 - attenuation * alpha",
};

const code: Record<Exclude<AdjointStage, "decode" | Composited>, Code> = {
  covariance: {
    ...evalBackward,
    lines: [
      { wgsl: "-0.5 * dPoint * point / blob.variance", twin: "gradient.varianceX = " },
      { wgsl: "-0.5 * dPoint * point / blob.variance", twin: "gradient.varianceY = " },
      { wgsl: "dPower * stretch * (point.x * point.y", twin: "gradient.correlation = " },
    ],
  },
  falloff: {
    ...evalBackward,
    lines: [
      { wgsl: "-dPoint * perDeviation,", twin: "gradient.centerX = " },
      { wgsl: "-dPoint * perDeviation,", twin: "gradient.centerY = " },
      { wgsl: "dAlpha * falloff,", twin: "gradient.opacity = " },
    ],
  },
  blend: {
    wgsl: { file: "shared/blend.wgsl", from: "fn alphaBlendBackward" },
    twin: { file: "cpu/blend.ts", from: "export function alphaBlendBackward(" },
    lines: blend,
  },
  undo: {
    wgsl: { file: "shared/blend.wgsl", from: "fn undoAlphaBlend" },
    twin: { file: "cpu/blend.ts", from: "export function undoAlphaBlend(" },
    lines: [undoBlob, undoBlob, undoBlob, undoTransmittance, undoBlob, undoBlob, undoBlob, undoTransmittance],
  },
  chain: {
    wgsl: { file: "tiled/fineRasterize.wgsl", from: "fn fineRasterizeBackward" },
    twin: { file: "cpu/rasterize.ts", from: "export function differentiate(" },
    lines: valueNames.map(() => ({
      wgsl: "d = decodeBackward(raw, evalBackward(blob, uv, gradient.blob))",
      twin: "accumulate(gradients, places[index - 1], gradient, blob.slope, largest)",
    })),
  },
};

/** The stages whose lines depend on the composite. */
type Composited = "composite" | "loss";

function isComposited(stage: AdjointStage): stage is Composited {
  return stage in composited;
}

function lossBackward(stage: Composited): Pick<CodePairing, "wgsl" | "twin"> {
  return {
    wgsl: { file: "shared/loss.wgsl", from: stage === "loss" ? "fn lossBackward" : "fn compositeBackward" },
    twin: { file: "cpu/blend.ts", from: "export function lossBackward(" },
  };
}

/** The lines of red, green, blue and T. */
const composited: Record<Composited, (composite: Composite) => CodeMark[]> = {
  composite: (composite) =>
    twinOfPixel(composite).map((twin) => ({
      wgsl:
        composite === "seed"
          ? "return vec4f(d * (1.0 - pixel.a), dot(d, 1.0 - pixel.rgb))"
          : "return vec4f(d, select(0.0, d.r + d.g + d.b",
      twin,
    })),
  loss: (composite) =>
    twinOfPixel(composite).map((twin) => ({ wgsl: "compositeBackward(pixel, 2.0 * weight * error)", twin })),
};

function twinOfPixel(composite: Composite): string[] {
  const transmittance = {
    seed: "d.transmittance = 2 * weight * againstWhite",
    white: 'if (composite === "white") d.transmittance =',
    black: "d.transmittance = 0;",
  };
  return [...["red", "green", "blue"].map((color) => `d.${color} = perColor`), transmittance[composite]];
}
