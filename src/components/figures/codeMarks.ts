import type { CodePairing } from "./codePairs.js";

/** The parts of the kernels that chapters show, and which of their lines do what: by chapter. */
export const codeMarks = {
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
  realtime: {
    keptForward: {
      wgsl: { file: "learn/fineRasterizeKept.wgsl", from: "for (var i = 0u; i < blobCount; i++) {" },
      marks: {
        "code:realtime.keep": { wgsl: "keepState(i, state);" },
        "code:realtime.transform": { wgsl: "state = transformPixelState(state, eval(loadBlob(sh_blobs[i]), uv));" },
      },
    },
    keptBackward: {
      wgsl: { file: "learn/fineRasterizeKept.wgsl", from: "for (var i = blobCount; i > 0u; i--) {" },
      marks: {
        "code:realtime.before": { wgsl: "let state = stateBefore(i - 1u, isKept, current.state, value);" },
        "code:realtime.value": { wgsl: "let value = eval(blob, uv);" },
        "code:realtime.blend": { wgsl: "let gradient = alphaBlendBackward(state.value, value, current.d);" },
        "code:realtime.add": { wgsl: "accumulate(d, blobIndex, localIndex);" },
      },
    },
    undoneForward: {
      wgsl: { file: "tiled/fineRasterize.wgsl", from: "for (var i = 0u; i < blobCount; i++) {" },
      marks: {
        "code:realtime.transform": { wgsl: "state = transformPixelState(state, eval(loadBlob(sh_blobs[i]), uv));" },
      },
    },
    undoneBackward: {
      wgsl: { file: "tiled/fineRasterize.wgsl", from: "for (var i = blobCount; i > 0u; i--) {" },
      marks: {
        "code:realtime.before": { wgsl: "let state = undoPixelState(current.state, index, value);" },
        "code:realtime.value": { wgsl: "let value = eval(blob, uv);" },
        "code:realtime.blend": { wgsl: "let gradient = alphaBlendBackward(state.value, value, current.d);" },
        "code:realtime.add": { wgsl: "accumulate(d, blobIndex, localIndex);" },
      },
    },
  },
  gradients: {
    clamp: {
      wgsl: { file: "shared/accumulate.wgsl", from: "fn accumulateParameter" },
      twin: { file: "cpu/accumulate.ts", from: "export function clampGradient" },
      marks: {
        "code:reduce.clamp": {
          wgsl: "let sum = treeReduce(clamp(d",
          twin: "return Math.min(Math.max(gradient, -largest)",
        },
        "code:reduce.memory": { wgsl: "atomicAccumulate(sum, field" },
      },
    },
    reduce: {
      wgsl: { file: "shared/accumulate.wgsl", from: "fn treeReduce" },
      twin: { file: "cpu/accumulate.ts", from: "export function treeReduce" },
      marks: {
        "code:reduce.write": { wgsl: "sh_reduction[localIndex] = value;" },
        "code:reduce.round": {
          wgsl: "for (var stride = firstStride(WORKGROUP_SIZE)",
          twin: "for (let stride = firstStride(",
        },
        "code:reduce.add": {
          wgsl: "sh_reduction[localIndex] += sh_reduction",
          twin: "values[i] += values[i + stride]",
        },
        "code:reduce.result": { wgsl: "return sh_reduction[0];", twin: "return values[0];" },
      },
    },
    swap: {
      wgsl: { file: "shared/accumulate.wgsl", from: "fn atomicAccumulate" },
      marks: {
        "code:swap.zero": { wgsl: "if (value == 0.0)" },
        "code:swap.load": { wgsl: "var seen = atomicLoad(" },
        "code:swap.swap": { wgsl: "let swap = atomicCompareExchangeWeak(" },
        "code:swap.exchanged": { wgsl: "if (swap.exchanged)" },
        "code:swap.retry": { wgsl: "seen = swap.old_value;" },
      },
    },
  },
  adam: {
    update: {
      wgsl: { file: "shared/adam.wgsl", from: "fn adam(" },
      twin: { file: "cpu/adam.ts", from: "export function updateBlobs(" },
      marks: {
        "code:adam.gradient": { wgsl: "fn adam(state", twin: "const gradient = gradients[slot]" },
        "code:adam.first": { wgsl: "let first =", twin: "const m = beta1" },
        "code:adam.second": { wgsl: "let second =", twin: "const v = beta2" },
        "code:adam.rate": { wgsl: "let rate =", twin: "const rate = rates[" },
        "code:adam.step": { wgsl: "let step = rate", twin: "parameters[slot] -=" },
        "code:adam.parameter": { wgsl: "return AdamState(state.parameter -", twin: "parameters[slot] -=" },
      },
    },
  },
} satisfies Record<string, Record<string, CodePairing>>;
