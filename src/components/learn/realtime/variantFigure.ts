import type { BrowserEngine } from "../../../host/browser.js";
import { element } from "../../element.js";
import { type CodeMark, codePair } from "../codePair.js";
import { learnFigure } from "../learnFigure.js";

/** The loops there and back. */
const forward = "for (var i = 0u; i < blobCount; i++) {";
const backward = "for (var i = blobCount; i > 0u; i--) {";

/** The one stage in which the two programs with tiles differ, as it is when states are kept and as it ships. */
export function variantFigure({ shaders }: BrowserEngine): HTMLElement {
  const panel = (title: string, file: string, marks: Record<string, CodeMark>) =>
    element(
      "div",
      {},
      element("p", { class: "variant-head" }, title),
      ...[forward, backward].map((from) => codePair(shaders, { wgsl: { file, from }, marks }).node),
    );
  const kept = panel("States kept", "learn/fineRasterizeKept.wgsl", {
    "code:realtime.keep": { wgsl: "keepState(i, state);" },
    "code:realtime.transform": { wgsl: "state = transformPixelState(state, eval(loadBlob(sh_blobs[i]), uv));" },
    "code:realtime.before": { wgsl: "let state = stateBefore(i - 1u, isKept, current.state, value);" },
    "code:realtime.value": { wgsl: "let value = eval(blob, uv);" },
    "code:realtime.blend": { wgsl: "let gradient = alphaBlendBackward(state.value, value, current.d);" },
    "code:realtime.add": { wgsl: "accumulate(d, blobIndex, localIndex);" },
  });
  const undone = panel("Undone, as it ships", "tiled/fineRasterize.wgsl", {
    "code:realtime.transform": { wgsl: "state = transformPixelState(state, eval(loadBlob(sh_blobs[i]), uv));" },
    "code:realtime.before": { wgsl: "let state = undoPixelState(current.state, index, value);" },
    "code:realtime.value": { wgsl: "let value = eval(blob, uv);" },
    "code:realtime.blend": { wgsl: "let gradient = alphaBlendBackward(state.value, value, current.d);" },
    "code:realtime.add": { wgsl: "accumulate(d, blobIndex, localIndex);" },
  });
  return learnFigure(
    {
      title: "One stage, two ways back",
      alt: "The loops of the stage that blends, forward and backward, once with kept states and once with the undo.",
      isWide: true,
      note: "Point at a line: what does the same on the other side is marked. The page runs both, the left one by handing the engine a library of kernels in which this one file is replaced.",
    },
    element("div", { class: "learn-columns variant" }, kept, undone),
  );
}
