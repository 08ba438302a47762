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
} satisfies Record<string, Record<string, CodePairing>>;
