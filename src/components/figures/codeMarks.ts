import type { CodePairing } from "./codePairs.js";

/** The parts of the kernels that chapters show, and which of their lines do what: by chapter. */
export const codeMarks = {
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
      wgsl: { file: "learn/exchange.wgsl", from: "fn main" },
      marks: {
        "code:exchange.write": { wgsl: "sh_values[localIndex] = localIndex + 1u;" },
        "code:exchange.barrier": { wgsl: "workgroupBarrier();" },
        "code:exchange.read": { wgsl: "let value = sh_values[neighbour];" },
      },
    },
  },
} satisfies Record<string, Record<string, CodePairing>>;
