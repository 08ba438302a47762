import type { CodePairing } from "./codePairs.js";

/** The parts of the kernels that chapters show, and which of their lines do what: by chapter. */
export const codeMarks = {
  tiles: {
    intersects: {
      wgsl: { file: "shared/bounds.wgsl", from: "fn intersects(" },
      twin: { file: "model/bounds.ts", from: "export function intersects(" },
      marks: {
        "code:sat.axis0": { wgsl: "return !(separates(a.axis", twin: "separates(a.axisX, a.axisY, a, b)" },
        "code:sat.axis1": { wgsl: "return !(separates(a.axis", twin: "separates(-a.axisY, a.axisX, a, b)" },
        "code:sat.axis2": { wgsl: "|| separates(b.axis", twin: "separates(b.axisX, b.axisY, a, b)" },
        "code:sat.axis3": { wgsl: "|| separates(b.axis", twin: "separates(-b.axisY, b.axisX, a, b)" },
      },
    },
    separates: {
      wgsl: { file: "shared/bounds.wgsl", from: "fn separates(" },
      twin: { file: "model/bounds.ts", from: "export function separates(" },
      marks: { "code:sat.compare": { wgsl: "return abs(dot(", twin: "return distance > reach(" } },
    },
    gather: {
      wgsl: { file: "tiled/coarseRasterize.wgsl", from: "fn coarseRasterize(" },
      twin: { file: "model/shortList.ts", from: "export function coarseRasterize(" },
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
      twin: { file: "model/uv.ts", from: "export function calcUV(" },
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
      twin: { file: "model/uv.ts", from: "export function tileBounds(" },
      marks: { "code:uv.tile": { wgsl: "let tileLow = vec2f(origin)", twin: "centerX: origin.x * uv.scaleX" } },
    },
    windows: {
      wgsl: { file: "tiled/shortList.wgsl", from: "fn shortListAfter(" },
      twin: { file: "model/shortList.ts", from: "export function* windows(" },
      marks: {
        "code:overflow.gather": {
          wgsl: "filled = coarseRasterize(",
          twin: "const list = coarseRasterize(initShortList(",
        },
        "code:overflow.fits": { wgsl: "return ShortList(bitonicSort(", twin: "start = end;" },
        "code:overflow.shorten": { wgsl: "window.end = start + smallerWindow(", twin: "length = smallerWindow(" },
      },
    },
    smallerWindow: {
      wgsl: { file: "tiled/shortList.wgsl", from: "fn smallerWindow(" },
      twin: { file: "model/shortList.ts", from: "export function smallerWindow(" },
      marks: { "code:overflow.guess": { wgsl: "let guess = u32(", twin: "return Math.max(gaussiansPerBlock" } },
    },
  },
  /** The loop of the blend, the stop in it, and the formula. */
  blending: {
    loop: {
      wgsl: { file: "tiled/fineRasterize.wgsl", from: "fn fineRasterize(" },
      twin: { file: "model/rasterize.ts", from: "function fineRasterize(" },
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
      twin: { file: "model/blend.ts", from: "export function transformPixelState(" },
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
      twin: { file: "model/blend.ts", from: "export function alphaBlend(" },
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
      twin: { file: "model/rasterize.ts", from: "for (let index = state.finalCount; index > 0; index--) {" },
      marks: {
        "code:undo.eval": {
          wgsl: "let value = eval(blob, uv);",
          twin: "const alpha = alphaOf(blob, falloff);",
        },
        "code:undo.undo": {
          wgsl: "let state = stateBefore(current.state, index, value);",
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
      twin: { file: "model/blend.ts", from: "export function undoAlphaBlend(" },
      marks: {
        "code:undo.divide": {
          wgsl: "let transmittance = pixel.a / (1.0 - ATTENUATION * blob.a);",
          twin: "state.transmittance /= 1 - attenuation * alpha;",
        },
      },
    },
    adjoint: {
      wgsl: { file: "shared/blend.wgsl", from: "fn alphaBlendBackward(" },
      twin: { file: "model/blend.ts", from: "export function alphaBlendBackward(" },
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
      twin: { file: "model/blob.ts", from: "export function evalFalloff(" },
      marks: {
        "code:adjoint.power": {
          wgsl: "return -0.5 * stretch * (d.x * d.x",
          twin: "return power >= lowestPower ? Math.exp(power) : 0;",
        },
      },
    },
    eval: {
      wgsl: { file: "shared/blob.wgsl", from: "fn eval(" },
      twin: { file: "model/blob.ts", from: "export function alphaOf(" },
      marks: {
        "code:adjoint.ceiling": {
          wgsl: "return vec4f(blob.color, min(HIGHEST_ALPHA,",
          twin: "return Math.min(blob.ceiling, blob.opacity * falloff);",
        },
      },
    },
    evalBackward: {
      wgsl: { file: "shared/blob.wgsl", from: "fn evalBackward(" },
      twin: { file: "model/blob.ts", from: "export function evalBackward(" },
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
      twin: { file: "model/shortList.ts", from: "export function bitonicSort" },
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
      twin: { file: "model/uv.ts", from: "export function tileOrigin" },
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
    kept: {
      wgsl: { file: "learn/keptStates.wgsl", from: "fn keepState(" },
      marks: { "code:realtime.keep": { wgsl: "keptStates[before.finalCount] = before.value;" } },
    },
    keptBefore: {
      wgsl: { file: "learn/keptStates.wgsl", from: "fn stateBefore(" },
      marks: { "code:realtime.before": { wgsl: "return PixelState(keptStates[index - 1u], index - 1u);" } },
    },
    undone: {
      wgsl: { file: "shared/undo.wgsl", from: "fn keepState(" },
      marks: { "code:realtime.keep": { wgsl: "fn keepState(" } },
    },
    undoneBefore: {
      wgsl: { file: "shared/undo.wgsl", from: "fn stateBefore(" },
      marks: { "code:realtime.before": { wgsl: "return undoPixelState(after, index, blob);" } },
    },
    forward: {
      wgsl: { file: "tiled/fineRasterize.wgsl", from: "for (var i = 0u; i < blobCount; i++) {" },
      marks: { "code:realtime.keep": { wgsl: "keepState(state);" } },
    },
    backward: {
      wgsl: { file: "tiled/fineRasterize.wgsl", from: "for (var i = blobCount; i > 0u; i--) {" },
      marks: { "code:realtime.before": { wgsl: "let state = stateBefore(current.state, index, value);" } },
    },
  },
  gradients: {
    clamp: {
      wgsl: { file: "shared/accumulate.wgsl", from: "fn accumulateParameter" },
      twin: { file: "model/accumulate.ts", from: "export function clampGradient" },
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
      twin: { file: "model/accumulate.ts", from: "export function treeReduce" },
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
        "code:reduce.result": { wgsl: "return sh_reduction[localIndex];", twin: "return values[0];" },
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
      twin: { file: "model/adam.ts", from: "export function updateBlobs(" },
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
  step: {
    Clear: {
      wgsl: { file: "shared/clearDerivatives.wgsl", from: "fn main(" },
      twin: { file: "model/rasterize.ts", from: "export function differentiate(" },
      marks: { "code:walk.Clear": { wgsl: "gradients[slot] = 0.0", twin: "const gradients = new Float64Array" } },
    },
    Gather: {
      wgsl: { file: "tiled/coarseRasterize.wgsl", from: "fn coarseRasterize(" },
      twin: { file: "model/shortList.ts", from: "export function coarseRasterize(" },
      marks: { "code:walk.Gather": { wgsl: "sh_blobs[slot] = i;", twin: "list.blobs[list.blobCount] = i" } },
    },
    Pad: {
      wgsl: { file: "tiled/padBuffer.wgsl", from: "fn padBuffer" },
      twin: { file: "model/shortList.ts", from: "export function padBuffer" },
      marks: { "code:walk.Pad": { wgsl: "sh_blobs[i] = SENTINEL", twin: "list.blobs.fill(sentinel" } },
    },
    Sort: {
      wgsl: { file: "tiled/bitonicSort.wgsl", from: "fn bitonicSort" },
      twin: { file: "model/shortList.ts", from: "export function bitonicSort" },
      marks: {
        "code:walk.Sort": {
          wgsl: "if ((low > high) == ascending && low != high)",
          twin: "if (swapped) [blobs[i], blobs[l]]",
        },
      },
    },
    Blend: {
      wgsl: { file: "tiled/fineRasterize.wgsl", from: "fn fineRasterize(" },
      twin: { file: "model/rasterize.ts", from: "function fineRasterize(" },
      marks: {
        "code:walk.Blend": {
          wgsl: "state = transformPixelState(state, eval(loadBlob",
          twin: "if (!transformPixelState(state, blobs[index]",
        },
      },
    },
    Compare: {
      wgsl: { file: "shared/loss.wgsl", from: "fn lossBackward" },
      twin: { file: "model/blend.ts", from: "export function lossBackward(" },
      marks: {
        "code:walk.Compare": {
          wgsl: "let error = composite(pixel) - wanted",
          twin: "const errorRed = compositeChannel",
        },
      },
    },
    Backward: {
      wgsl: { file: "tiled/fineRasterize.wgsl", from: "fn fineRasterizeBackward(" },
      twin: { file: "model/rasterize.ts", from: "export function differentiate(" },
      marks: {
        "code:walk.Backward": {
          wgsl: "d = decodeBackward(raw, evalBackward",
          twin: "evalBackward(blob, u, v, falloff, dAlpha, gradient)",
        },
      },
    },
    Reduce: {
      wgsl: { file: "shared/accumulate.wgsl", from: "fn treeReduce" },
      twin: { file: "model/accumulate.ts", from: "export function treeReduce" },
      marks: {
        "code:walk.Reduce": {
          wgsl: "sh_reduction[localIndex] += sh_reduction[localIndex + stride]",
          twin: "values[i] += values[i + stride]",
        },
      },
    },
    Accumulate: {
      wgsl: { file: "shared/accumulate.wgsl", from: "fn atomicAccumulate" },
      twin: { file: "model/rasterize.ts", from: "function accumulate(" },
      marks: { "code:walk.Accumulate": { wgsl: "let swap = atomicCompareExchangeWeak" } },
    },
    Adam: {
      wgsl: { file: "shared/adam.wgsl", from: "fn adam(" },
      twin: { file: "model/adam.ts", from: "export function updateBlobs(" },
      marks: { "code:walk.Adam": { wgsl: "return AdamState(state.parameter - step", twin: "parameters[slot] -=" } },
    },
    Render: {
      wgsl: { file: "tiled/imageMain.wgsl", from: "fn main(" },
      twin: { file: "model/rasterize.ts", from: "export function draw(" },
      marks: { "code:walk.Render": { wgsl: "picture[place.pixel.y", twin: "pixels.push(transmittance)" } },
    },
    decode: {
      wgsl: { file: "shared/smoothstep.wgsl", from: "fn decodeSmoothstepBackward" },
      twin: { file: "model/blob.ts", from: "function decodeSmoothstep(raw" },
      marks: {
        "code:decode.0": {
          wgsl: "d.center * vec2f(smooth01Backward(raw.center.x)",
          twin: "centerX: smoothstepBackward(",
        },
        "code:decode.1": {
          wgsl: "d.center * vec2f(smooth01Backward(raw.center.x)",
          twin: "centerY: smoothstepBackward(",
        },
        "code:decode.2": {
          wgsl: "d.variance * vec2f(smooth01Backward(0.8 * raw.variance.x)",
          twin: "varianceX: smoothstepBackward(",
        },
        "code:decode.3": {
          wgsl: "d.variance * vec2f(smooth01Backward(0.8 * raw.variance.x)",
          twin: "varianceY: smoothstepBackward(",
        },
        "code:decode.4": { wgsl: "d.correlation * smooth01Backward", twin: "correlation: smoothstepBackward(" },
        "code:decode.5": { wgsl: "d.color * 0.8 * vec3f(", twin: "red: smoothstepBackward(" },
        "code:decode.6": { wgsl: "d.color * 0.8 * vec3f(", twin: "green: smoothstepBackward(" },
        "code:decode.7": { wgsl: "d.color * 0.8 * vec3f(", twin: "blue: smoothstepBackward(" },
        "code:decode.8": { wgsl: "d.opacity * smooth01Backward", twin: "opacity: smoothstepBackward(" },
      },
    },
    decodeDirect: {
      wgsl: { file: "shared/direct.wgsl", from: "fn decodeDirectBackward" },
      twin: { file: "model/blob.ts", from: "function decodeDirect(raw" },
      marks: {
        "code:decode.0": { wgsl: "d.center / textureSize,", twin: "centerX: 1 / width" },
        "code:decode.1": { wgsl: "d.center / textureSize,", twin: "centerY: 1 / height" },
        "code:decode.2": { wgsl: "d.variance * 2.0 * exp(2.0 * raw.variance)", twin: "varianceX: (2 * squareX)" },
        "code:decode.3": { wgsl: "d.variance * 2.0 * exp(2.0 * raw.variance)", twin: "varianceY: (2 * squareY)" },
        "code:decode.4": { wgsl: "d.correlation * HIGHEST_CORRELATION", twin: "correlation: (highestCorrelation * 4" },
        "code:decode.5": { wgsl: "    d.color,", twin: "red: 1," },
        "code:decode.6": { wgsl: "    d.color,", twin: "green: 1," },
        "code:decode.7": { wgsl: "    d.color,", twin: "blue: 1," },
        "code:decode.8": { wgsl: "d.opacity * opacity * (1.0 - opacity)", twin: "opacity: opacity * (1 - opacity)" },
      },
    },
    covariance: {
      wgsl: { file: "shared/blob.wgsl", from: "fn evalBackward" },
      twin: { file: "model/blob.ts", from: "export function evalBackward(" },
      marks: {
        "code:covariance.0": { wgsl: "-0.5 * dPoint * point / blob.variance", twin: "gradient.varianceX = " },
        "code:covariance.1": { wgsl: "-0.5 * dPoint * point / blob.variance", twin: "gradient.varianceY = " },
        "code:covariance.2": { wgsl: "dPower * stretch * (point.x * point.y", twin: "gradient.correlation = " },
      },
    },
    falloff: {
      wgsl: { file: "shared/blob.wgsl", from: "fn evalBackward" },
      twin: { file: "model/blob.ts", from: "export function evalBackward(" },
      marks: {
        "code:falloff.0": { wgsl: "-dPoint * perDeviation,", twin: "gradient.centerX = " },
        "code:falloff.1": { wgsl: "-dPoint * perDeviation,", twin: "gradient.centerY = " },
        "code:falloff.2": { wgsl: "dAlpha * falloff,", twin: "gradient.opacity = " },
      },
    },
    blend: {
      wgsl: { file: "shared/blend.wgsl", from: "fn alphaBlendBackward" },
      twin: { file: "model/blend.ts", from: "export function alphaBlendBackward(" },
      marks: {
        "code:blend.0": { wgsl: "vec4f(d.rgb, d.a * (1.0 - ATTENUATION" },
        "code:blend.1": { wgsl: "vec4f(d.rgb, d.a * (1.0 - ATTENUATION" },
        "code:blend.2": { wgsl: "vec4f(d.rgb, d.a * (1.0 - ATTENUATION" },
        "code:blend.3": {
          wgsl: "vec4f(d.rgb, d.a * (1.0 - ATTENUATION",
          twin: "d.transmittance = d.transmittance * (1 -",
        },
        "code:blend.4": { wgsl: "vec4f(d.rgb * blob.a * pixel.a", twin: "gradient.red = d.red * weight" },
        "code:blend.5": { wgsl: "vec4f(d.rgb * blob.a * pixel.a", twin: "gradient.green = d.green * weight" },
        "code:blend.6": { wgsl: "vec4f(d.rgb * blob.a * pixel.a", twin: "gradient.blue = d.blue * weight" },
        "code:blend.7": { wgsl: "vec4f(d.rgb * blob.a * pixel.a", twin: "const dAlpha = before.transmittance *" },
      },
    },
    undo: {
      wgsl: { file: "shared/blend.wgsl", from: "fn undoAlphaBlend" },
      twin: { file: "model/blend.ts", from: "export function undoAlphaBlend(" },
      marks: {
        "code:undo.0": {
          wgsl: "return vec4f(pixel.rgb - blob.a * transmittance",
          twin: "state.red -= weight * color.red",
        },
        "code:undo.1": {
          wgsl: "return vec4f(pixel.rgb - blob.a * transmittance",
          twin: "state.red -= weight * color.red",
        },
        "code:undo.2": {
          wgsl: "return vec4f(pixel.rgb - blob.a * transmittance",
          twin: "state.red -= weight * color.red",
        },
        "code:undo.3": {
          wgsl: "let transmittance = pixel.a /",
          twin: "state.transmittance /= 1 - attenuation * alpha",
        },
        "code:undo.4": {
          wgsl: "return vec4f(pixel.rgb - blob.a * transmittance",
          twin: "state.red -= weight * color.red",
        },
        "code:undo.5": {
          wgsl: "return vec4f(pixel.rgb - blob.a * transmittance",
          twin: "state.red -= weight * color.red",
        },
        "code:undo.6": {
          wgsl: "return vec4f(pixel.rgb - blob.a * transmittance",
          twin: "state.red -= weight * color.red",
        },
        "code:undo.7": {
          wgsl: "let transmittance = pixel.a /",
          twin: "state.transmittance /= 1 - attenuation * alpha",
        },
      },
    },
    composite: {
      wgsl: { file: "shared/loss.wgsl", from: "fn compositeBackward" },
      twin: { file: "model/blend.ts", from: "export function lossBackward(" },
      marks: {
        "code:composite.seed.0": {
          wgsl: "return vec4f(d * (1.0 - pixel.a), dot(d, 1.0 - pixel.rgb))",
          twin: "d.red = perColor",
        },
        "code:composite.seed.1": {
          wgsl: "return vec4f(d * (1.0 - pixel.a), dot(d, 1.0 - pixel.rgb))",
          twin: "d.green = perColor",
        },
        "code:composite.seed.2": {
          wgsl: "return vec4f(d * (1.0 - pixel.a), dot(d, 1.0 - pixel.rgb))",
          twin: "d.blue = perColor",
        },
        "code:composite.seed.3": {
          wgsl: "return vec4f(d * (1.0 - pixel.a), dot(d, 1.0 - pixel.rgb))",
          twin: "d.transmittance = 2 * weight * againstWhite",
        },
        "code:composite.white.0": { wgsl: "return vec4f(d, select(0.0, d.r + d.g + d.b", twin: "d.red = perColor" },
        "code:composite.white.1": { wgsl: "return vec4f(d, select(0.0, d.r + d.g + d.b", twin: "d.green = perColor" },
        "code:composite.white.2": { wgsl: "return vec4f(d, select(0.0, d.r + d.g + d.b", twin: "d.blue = perColor" },
        "code:composite.white.3": {
          wgsl: "return vec4f(d, select(0.0, d.r + d.g + d.b",
          twin: 'if (composite === "white") d.transmittance =',
        },
        "code:composite.black.0": { wgsl: "return vec4f(d, select(0.0, d.r + d.g + d.b", twin: "d.red = perColor" },
        "code:composite.black.1": { wgsl: "return vec4f(d, select(0.0, d.r + d.g + d.b", twin: "d.green = perColor" },
        "code:composite.black.2": { wgsl: "return vec4f(d, select(0.0, d.r + d.g + d.b", twin: "d.blue = perColor" },
        "code:composite.black.3": { wgsl: "return vec4f(d, select(0.0, d.r + d.g + d.b", twin: "d.transmittance = 0;" },
      },
    },
    loss: {
      wgsl: { file: "shared/loss.wgsl", from: "fn lossBackward" },
      twin: { file: "model/blend.ts", from: "export function lossBackward(" },
      marks: {
        "code:loss.seed.0": { wgsl: "compositeBackward(pixel, 2.0 * weight * error)", twin: "d.red = perColor" },
        "code:loss.seed.1": { wgsl: "compositeBackward(pixel, 2.0 * weight * error)", twin: "d.green = perColor" },
        "code:loss.seed.2": { wgsl: "compositeBackward(pixel, 2.0 * weight * error)", twin: "d.blue = perColor" },
        "code:loss.seed.3": {
          wgsl: "compositeBackward(pixel, 2.0 * weight * error)",
          twin: "d.transmittance = 2 * weight * againstWhite",
        },
        "code:loss.white.0": { wgsl: "compositeBackward(pixel, 2.0 * weight * error)", twin: "d.red = perColor" },
        "code:loss.white.1": { wgsl: "compositeBackward(pixel, 2.0 * weight * error)", twin: "d.green = perColor" },
        "code:loss.white.2": { wgsl: "compositeBackward(pixel, 2.0 * weight * error)", twin: "d.blue = perColor" },
        "code:loss.white.3": {
          wgsl: "compositeBackward(pixel, 2.0 * weight * error)",
          twin: 'if (composite === "white") d.transmittance =',
        },
        "code:loss.black.0": { wgsl: "compositeBackward(pixel, 2.0 * weight * error)", twin: "d.red = perColor" },
        "code:loss.black.1": { wgsl: "compositeBackward(pixel, 2.0 * weight * error)", twin: "d.green = perColor" },
        "code:loss.black.2": { wgsl: "compositeBackward(pixel, 2.0 * weight * error)", twin: "d.blue = perColor" },
        "code:loss.black.3": { wgsl: "compositeBackward(pixel, 2.0 * weight * error)", twin: "d.transmittance = 0;" },
      },
    },
    chain: {
      wgsl: { file: "tiled/fineRasterize.wgsl", from: "fn fineRasterizeBackward" },
      twin: { file: "model/rasterize.ts", from: "export function differentiate(" },
      marks: {
        "code:chain": {
          wgsl: "d = decodeBackward(raw, evalBackward(blob, uv, gradient.blob))",
          twin: "accumulate(gradients, places[index - 1], gradient, blob.slope, largest)",
        },
      },
    },
  },
} satisfies Record<string, Record<string, CodePairing>>;
