import type { ShaderLibrary } from "../../../engine/gpu/shaders.js";
import { type CodePair, codePairs } from "../codePair.js";

/** The loop of the blend, the stop in it, and the formula, each beside its twin. */
export function blendCode(shaders: ShaderLibrary): CodePair {
  return codePairs(
    shaders,
    {
      wgsl: { file: "tiled/fineRasterize.wgsl", from: "fn fineRasterize(" },
      twin: { file: "cpu/rasterize.ts", from: "function fineRasterize(" },
      marks: {
        "code:blend.eval": {
          wgsl: "state = transformPixelState(state, eval(",
          twin: "const falloff = evalFalloff(blobs[index], u, v);",
        },
        "code:blend.loop": {
          wgsl: "for (var i = 0u; i < blobCount; i++) {",
          twin: "if (!transformPixelState(state, blobs[index],",
        },
      },
    },
    {
      wgsl: { file: "shared/blend.wgsl", from: "fn transformPixelState(" },
      twin: { file: "cpu/blend.ts", from: "export function transformPixelState(" },
      marks: {
        "code:blend.stop": {
          wgsl: "if (pixel.value.a < LOWEST_TRANSMITTANCE) {",
          twin: "if (state.transmittance < lowestTransmittance) return false;",
        },
        "code:blend.count": {
          wgsl: "return PixelState(alphaBlend(pixel.value, blob), pixel.finalCount + 1u);",
          twin: "state.finalCount++;",
        },
      },
    },
    {
      wgsl: { file: "shared/blend.wgsl", from: "fn alphaBlend(" },
      twin: { file: "cpu/blend.ts", from: "export function alphaBlend(" },
      marks: {
        "code:blend.formula": {
          wgsl: "return vec4f(pixel.rgb + blob.a * pixel.a * blob.rgb, pixel.a",
          twin: "state.transmittance *= 1 - attenuation * alpha;",
        },
      },
    },
  );
}
