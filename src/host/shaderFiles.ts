import { type AttachedFile, FileAttachment } from "observablehq:stdlib";
import type { ShaderLibrary } from "../engine/gpu/shaders.js";

/** Every file under shaders/, by its path there. Framework wants each name as a literal. */
const files: Record<string, AttachedFile> = {
  "bench/copy.wgsl": FileAttachment("../shaders/bench/copy.wgsl"),
  "bench/peak.wgsl": FileAttachment("../shaders/bench/peak.wgsl"),
  "binned/allocate.wgsl": FileAttachment("../shaders/binned/allocate.wgsl"),
  "binned/allocateLists.wgsl": FileAttachment("../shaders/binned/allocateLists.wgsl"),
  "binned/allocateListsThread.wgsl": FileAttachment("../shaders/binned/allocateListsThread.wgsl"),
  "binned/backward.wgsl": FileAttachment("../shaders/binned/backward.wgsl"),
  "binned/blendEntries.wgsl": FileAttachment("../shaders/binned/blendEntries.wgsl"),
  "binned/fillLists.wgsl": FileAttachment("../shaders/binned/fillLists.wgsl"),
  "binned/forward.wgsl": FileAttachment("../shaders/binned/forward.wgsl"),
  "binned/forwardThread.wgsl": FileAttachment("../shaders/binned/forwardThread.wgsl"),
  "binned/imageMain.wgsl": FileAttachment("../shaders/binned/imageMain.wgsl"),
  "binned/imageMainThread.wgsl": FileAttachment("../shaders/binned/imageMainThread.wgsl"),
  "binned/lists.wgsl": FileAttachment("../shaders/binned/lists.wgsl"),
  "binned/picture.wgsl": FileAttachment("../shaders/binned/picture.wgsl"),
  "binned/rasterize.wgsl": FileAttachment("../shaders/binned/rasterize.wgsl"),
  "binned/rasterizeBackwardSubgroup.wgsl": FileAttachment("../shaders/binned/rasterizeBackwardSubgroup.wgsl"),
  "binned/rasterizeBackwardThread.wgsl": FileAttachment("../shaders/binned/rasterizeBackwardThread.wgsl"),
  "binned/rasterizeBackwardWorkgroup.wgsl": FileAttachment("../shaders/binned/rasterizeBackwardWorkgroup.wgsl"),
  "binned/rasterizeThread.wgsl": FileAttachment("../shaders/binned/rasterizeThread.wgsl"),
  "binned/segments.wgsl": FileAttachment("../shaders/binned/segments.wgsl"),
  "binned/slots.wgsl": FileAttachment("../shaders/binned/slots.wgsl"),
  "binned/sortLists.wgsl": FileAttachment("../shaders/binned/sortLists.wgsl"),
  "binned/stepBlob.wgsl": FileAttachment("../shaders/binned/stepBlob.wgsl"),
  "binned/support.wgsl": FileAttachment("../shaders/binned/support.wgsl"),
  "binned/toLoss.wgsl": FileAttachment("../shaders/binned/toLoss.wgsl"),
  "binned/updateBlobs.wgsl": FileAttachment("../shaders/binned/updateBlobs.wgsl"),
  "binned/updateBlobsThread.wgsl": FileAttachment("../shaders/binned/updateBlobsThread.wgsl"),
  "shared/accumulate.wgsl": FileAttachment("../shaders/shared/accumulate.wgsl"),
  "shared/adam.wgsl": FileAttachment("../shaders/shared/adam.wgsl"),
  "shared/blend.wgsl": FileAttachment("../shaders/shared/blend.wgsl"),
  "shared/blob.wgsl": FileAttachment("../shaders/shared/blob.wgsl"),
  "shared/bounds.wgsl": FileAttachment("../shaders/shared/bounds.wgsl"),
  "shared/clearDerivatives.wgsl": FileAttachment("../shaders/shared/clearDerivatives.wgsl"),
  "shared/config.wgsl": FileAttachment("../shaders/shared/config.wgsl"),
  "shared/loadBlob.wgsl": FileAttachment("../shaders/shared/loadBlob.wgsl"),
  "shared/loss.wgsl": FileAttachment("../shaders/shared/loss.wgsl"),
  "shared/parameters.wgsl": FileAttachment("../shaders/shared/parameters.wgsl"),
  "shared/summarize.wgsl": FileAttachment("../shaders/shared/summarize.wgsl"),
  "shared/tileStatistics.wgsl": FileAttachment("../shaders/shared/tileStatistics.wgsl"),
  "shared/updateBlobs.wgsl": FileAttachment("../shaders/shared/updateBlobs.wgsl"),
  "shared/uv.wgsl": FileAttachment("../shaders/shared/uv.wgsl"),
  "simple/computeDerivatives.wgsl": FileAttachment("../shaders/simple/computeDerivatives.wgsl"),
  "simple/imageMain.wgsl": FileAttachment("../shaders/simple/imageMain.wgsl"),
  "simple/simpleSplatBlobs.wgsl": FileAttachment("../shaders/simple/simpleSplatBlobs.wgsl"),
  "tiled/bitonicSort.wgsl": FileAttachment("../shaders/tiled/bitonicSort.wgsl"),
  "tiled/coarseRasterize.wgsl": FileAttachment("../shaders/tiled/coarseRasterize.wgsl"),
  "tiled/computeDerivatives.wgsl": FileAttachment("../shaders/tiled/computeDerivatives.wgsl"),
  "tiled/fineRasterize.wgsl": FileAttachment("../shaders/tiled/fineRasterize.wgsl"),
  "tiled/imageMain.wgsl": FileAttachment("../shaders/tiled/imageMain.wgsl"),
  "tiled/initShortList.wgsl": FileAttachment("../shaders/tiled/initShortList.wgsl"),
  "tiled/padBuffer.wgsl": FileAttachment("../shaders/tiled/padBuffer.wgsl"),
  "tiled/shortList.wgsl": FileAttachment("../shaders/tiled/shortList.wgsl"),
};

/** Fetches the kernels' text. */
export async function loadShaders(): Promise<ShaderLibrary> {
  const entries = Object.entries(files).map(async ([path, file]) => [path, await file.text()] as const);
  return new Map(await Promise.all(entries));
}
