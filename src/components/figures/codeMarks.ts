import type { CodePairing } from "./codePairs.js";

/** The parts of the kernels that chapters show, and which of their lines do what: by chapter. */
export const codeMarks = {
  tiles: {
    intersects: {
      wgsl: { file: "shared/bounds.wgsl", from: "fn intersects(" },
      twin: { file: "cpu/bounds.ts", from: "export function intersects(" },
      marks: {
        "code:sat.axis0": { wgsl: "return !(separates(a.axis", twin: "separates(a.axisX, a.axisY, a, b)" },
        "code:sat.axis1": { wgsl: "return !(separates(a.axis", twin: "separates(-a.axisY, a.axisX, a, b)" },
        "code:sat.axis2": { wgsl: "|| separates(b.axis", twin: "separates(b.axisX, b.axisY, a, b)" },
        "code:sat.axis3": { wgsl: "|| separates(b.axis", twin: "separates(-b.axisY, b.axisX, a, b)" },
      },
    },
    separates: {
      wgsl: { file: "shared/bounds.wgsl", from: "fn separates(" },
      twin: { file: "cpu/bounds.ts", from: "export function separates(" },
      marks: { "code:sat.compare": { wgsl: "return abs(dot(", twin: "return distance > reach(" } },
    },
    gather: {
      wgsl: { file: "tiled/coarseRasterize.wgsl", from: "fn coarseRasterize(" },
      twin: { file: "cpu/shortList.ts", from: "export function coarseRasterize(" },
      marks: {
        "code:gather.begin": { wgsl: "fn coarseRasterize(" },
        "code:gather.stride": { wgsl: "for (var i = window.start", twin: "for (let i = start" },
        "code:gather.test": { wgsl: "if (intersects(blobBounds", twin: "if (!intersects(" },
        "code:gather.count": { wgsl: "atomicAdd(&sh_blobCountAtomic", twin: "list.blobCount++" },
        "code:gather.store": { wgsl: "sh_blobs[slot] = i;", twin: "list.blobs[list.blobCount] = i" },
        "code:gather.end": { wgsl: "sh_blobCount = atomicLoad" },
      },
    },
    calcUV: {
      wgsl: { file: "shared/uv.wgsl", from: "fn calcUV(" },
      twin: { file: "cpu/uv.ts", from: "export function calcUV(" },
      marks: {
        "code:uv.wide": { wgsl: "return UvMapping(vec2f(1.0, covered)", twin: "return { scaleX: 1 / render.width" },
        "code:uv.tall": {
          wgsl: "return UvMapping(vec2f(covered, 1.0)",
          twin: "return { scaleX: covered / render.width",
        },
      },
    },
    tileBounds: {
      wgsl: { file: "shared/uv.wgsl", from: "fn tileBounds(" },
      twin: { file: "cpu/uv.ts", from: "export function tileBounds(" },
      marks: { "code:uv.tile": { wgsl: "let tileLow = vec2f(origin)", twin: "centerX: origin.x * uv.scaleX" } },
    },
    windows: {
      wgsl: { file: "tiled/shortList.wgsl", from: "fn shortListAfter(" },
      twin: { file: "cpu/shortList.ts", from: "export function* windows(" },
      marks: {
        "code:overflow.gather": {
          wgsl: "let filled = coarseRasterize(",
          twin: "coarseRasterize(list, bounds, tile, start, end);",
        },
        "code:overflow.fits": { wgsl: "return ShortList(bitonicSort(", twin: "start = end;" },
        "code:overflow.shorten": { wgsl: "window.end = start + smallerWindow(", twin: "length = smallerWindow(" },
      },
    },
    smallerWindow: {
      wgsl: { file: "tiled/shortList.wgsl", from: "fn smallerWindow(" },
      twin: { file: "cpu/shortList.ts", from: "export function smallerWindow(" },
      marks: { "code:overflow.guess": { wgsl: "let guess = u32(", twin: "return Math.max(gaussiansPerBlock" } },
    },
  },
  /** The loop of the blend, the stop in it, and the formula. */
  blending: {
    loop: {
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
    stop: {
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
    formula: {
      wgsl: { file: "shared/blend.wgsl", from: "fn alphaBlend(" },
      twin: { file: "cpu/blend.ts", from: "export function alphaBlend(" },
      marks: {
        "code:blend.formula": {
          wgsl: "return vec4f(pixel.rgb + blob.a * pixel.a * blob.rgb, pixel.a",
          twin: "state.transmittance *= 1 - attenuation * alpha;",
        },
      },
    },
  },
  /** The loop backward, the undo in it, and the adjoint of the blend. */
  undo: {
    loop: {
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
    divide: {
      wgsl: { file: "shared/blend.wgsl", from: "fn undoAlphaBlend(" },
      twin: { file: "cpu/blend.ts", from: "export function undoAlphaBlend(" },
      marks: {
        "code:undo.divide": {
          wgsl: "let transmittance = pixel.a / (1.0 - ATTENUATION * blob.a);",
          twin: "state.transmittance /= 1 - attenuation * alpha;",
        },
      },
    },
    adjoint: {
      wgsl: { file: "shared/blend.wgsl", from: "fn alphaBlendBackward(" },
      twin: { file: "cpu/blend.ts", from: "export function alphaBlendBackward(" },
      marks: {
        "code:undo.color": {
          wgsl: "vec4f(d.rgb * blob.a * pixel.a, pixel.a * (alongColor",
          twin: "const dAlpha = before.transmittance * (alongColor - attenuation * d.transmittance);",
        },
      },
    },
  },
  /** A blob's evaluation and its adjoint. */
  adjoint: {
    falloff: {
      wgsl: { file: "shared/blob.wgsl", from: "fn powerAt(" },
      twin: { file: "cpu/blob.ts", from: "export function evalFalloff(" },
      marks: {
        "code:adjoint.power": {
          wgsl: "return -0.5 * stretch * (d.x * d.x",
          twin: "return power >= lowestPower ? Math.exp(power) : 0;",
        },
      },
    },
    eval: {
      wgsl: { file: "shared/blob.wgsl", from: "fn eval(" },
      twin: { file: "cpu/blob.ts", from: "export function alphaOf(" },
      marks: {
        "code:adjoint.ceiling": {
          wgsl: "return vec4f(blob.color, min(HIGHEST_ALPHA,",
          twin: "return Math.min(blob.ceiling, blob.opacity * falloff);",
        },
      },
    },
    evalBackward: {
      wgsl: { file: "shared/blob.wgsl", from: "fn evalBackward(" },
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
    },
  },
  sorting: {
    sort: {
      wgsl: { file: "tiled/bitonicSort.wgsl", from: "fn bitonicSort" },
      twin: { file: "cpu/shortList.ts", from: "export function bitonicSort" },
      marks: {
        "code:sort.pass": { wgsl: "for (var j = k / 2u", twin: "for (const { k, j } of network)" },
        "code:sort.partner": { wgsl: "let l = i ^ j;", twin: "const l = i ^ j;" },
        "code:sort.direction": { wgsl: "let ascending =", twin: "const ascending =" },
        "code:sort.compare": { wgsl: "if ((low > high) == ascending", twin: "const swapped = ascending" },
        "code:sort.swap": { wgsl: "sh_blobs[i] = high;", twin: "if (swapped) [" },
        "code:sort.swapBack": { wgsl: "sh_blobs[l] = low;" },
        "code:sort.barrier": { wgsl: "      workgroupBarrier();" },
      },
    },
  },
  workgroups: {
    place: {
      wgsl: { file: "shared/uv.wgsl", from: "fn threadPlace" },
      twin: { file: "cpu/uv.ts", from: "export function tileOrigin" },
      marks: {
        "code:place.across": { wgsl: "let across = (renderSize.x" },
        "code:place.origin": { wgsl: "let origin = vec2u(tile % across", twin: "return { x: (tile % across) * width" },
        "code:place.pixel": { wgsl: "let pixel = origin + vec2u(localIndex" },
        "code:place.inside": { wgsl: "return ThreadPlace(origin, pixel" },
      },
    },
    exchange: {
      wgsl: { file: "learn/exchangeValues.wgsl", from: "fn main" },
      marks: {
        "code:exchange.write": { wgsl: "sh_values[localIndex] = localIndex + 1u;" },
        "code:exchange.barrier": { wgsl: "workgroupBarrier();" },
        "code:exchange.read": { wgsl: "let value = sh_values[neighbour];" },
      },
    },
  },
} satisfies Record<string, Record<string, CodePairing>>;
