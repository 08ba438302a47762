import type { ShaderLibrary } from "../../../engine/gpu/shaders.js";
import { type CodePair, codePairs } from "../codePair.js";

/** The loop backward, the undo in it and the adjoint of the blend, each beside its twin. */
export function undoCode(shaders: ShaderLibrary): CodePair {
  return codePairs(
    shaders,
    {
      wgsl: { file: "tiled/fineRasterize.wgsl", from: "for (var i = blobCount; i > 0u; i--) {" },
      twin: { file: "cpu/rasterize.ts", from: "for (let index = state.finalCount; index > 0; index--) {" },
      marks: {
        "code:undo.eval": {
          wgsl: "let value = eval(blob, uv);",
          twin: "const alpha = alphaOf(blob, falloff);",
        },
        "code:undo.undo": {
          wgsl: "let state = undoPixelState(current.state, index, value);",
          twin: "undoPixelState(state, index, blob, alpha, attenuation);",
        },
        "code:undo.adjoint": {
          wgsl: "let gradient = alphaBlendBackward(state.value, value, current.d);",
          twin: "const dAlpha = alphaBlendBackward(state, blob, alpha,",
        },
        "code:undo.parameters": {
          wgsl: "d = decodeBackward(raw, evalBackward(blob, uv, gradient.blob));",
          twin: "evalBackward(blob, u, v, falloff, dAlpha, gradient);",
        },
      },
    },
    {
      wgsl: { file: "shared/blend.wgsl", from: "fn undoAlphaBlend(" },
      twin: { file: "cpu/blend.ts", from: "export function undoAlphaBlend(" },
      marks: {
        "code:undo.divide": {
          wgsl: "let transmittance = pixel.a / (1.0 - ATTENUATION * blob.a);",
          twin: "state.transmittance /= 1 - attenuation * alpha;",
        },
      },
    },
    {
      wgsl: { file: "shared/blend.wgsl", from: "fn alphaBlendBackward(" },
      twin: { file: "cpu/blend.ts", from: "export function alphaBlendBackward(" },
      marks: {
        "code:undo.color": {
          wgsl: "vec4f(d.rgb * blob.a * pixel.a, pixel.a * (alongColor",
          twin: "const dAlpha = before.transmittance * (alongColor - attenuation * d.transmittance);",
        },
      },
    },
  );
}
