import type { CodePairing } from "./codePairs.js";

/** The parts of the kernels that chapters show, and which of their lines do what: by chapter. */
export const codeMarks = {
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
} satisfies Record<string, Record<string, CodePairing>>;
