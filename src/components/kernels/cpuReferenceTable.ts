/** A file below src/engine/ with CPU references. */
export type ReferenceFile = `${string}.ts`;

/** A TypeScript function that computes the same as a WGSL file. */
export interface CpuReference {
  file: ReferenceFile;
  name: string;
}

const differentiate: CpuReference = { file: "model/rasterize.ts", name: "differentiate" };
const draw: CpuReference = { file: "model/rasterize.ts", name: "draw" };
const updateBlobs: CpuReference = { file: "model/adam.ts", name: "updateBlobs" };
const binBlobs: CpuReference = { file: "model/tileLists.ts", name: "binBlobs" };
const transform: CpuReference = { file: "model/blend.ts", name: "transformPixelState" };
const evalBackward: CpuReference = { file: "model/blob.ts", name: "evalBackward" };
const gradientOfMoments: CpuReference = { file: "model/support.ts", name: "gradientOfMoments" };
const pixelBlob: CpuReference = { file: "model/support.ts", name: "pixelBlob" };
const decode: CpuReference = { file: "model/blob.ts", name: "decode" };
const passes: CpuReference = { file: "model/shortList.ts", name: "passes" };

/** A stage of the binned pipeline over the same buffers. */
const stage = (name: `${string}-${string}`): CpuReference => {
  return { file: `model/binned/${name}.ts`, name: name.split("-")[1] };
};

/** The CPU references of WGSL files by path under shaders/, the closest one first. */
export const cpuReferences: Record<string, CpuReference[]> = {
  "binned/1-projectThread.wgsl": [stage("1-project")],
  "binned/1-projectWorkgroup.wgsl": [stage("1-project")],
  "binned/2-allocateLists.wgsl": [stage("2-allocateLists"), binBlobs],
  "binned/2to4-gatherLists.wgsl": [stage("2to4-gatherLists"), binBlobs],
  "binned/3-fillLists.wgsl": [stage("3-fillLists")],
  "binned/4-sortLists.wgsl": [stage("4-sortLists")],
  "binned/5-rasterizeThread.wgsl": [stage("5-rasterize"), draw],
  "binned/5-rasterizeWorkgroup.wgsl": [stage("5-rasterize"), draw],
  "binned/6-rasterizeBackwardSubgroup.wgsl": [stage("6-rasterizeBackward")],
  "binned/6-rasterizeBackwardThread.wgsl": [stage("6-rasterizeBackward")],
  "binned/6-rasterizeBackwardWorkgroup.wgsl": [stage("6-rasterizeBackward")],
  "binned/7-updateBlobsThread.wgsl": [stage("7-updateBlobs"), stage("1-project"), updateBlobs],
  "binned/7-updateBlobsWorkgroup.wgsl": [stage("7-updateBlobs"), stage("1-project"), updateBlobs],
  "binned/allocation.wgsl": [{ file: "model/binned/2-allocateLists.ts", name: "cutLists" }],
  "binned/lists.wgsl": [{ file: "model/binned/lists.ts", name: "pixelsOf" }, pixelBlob],
  "binned/project.wgsl": [stage("1-project"), pixelBlob, { file: "model/support.ts", name: "meetsTile" }],
  "binned/projectWorkgroup.wgsl": [stage("1-project")],
  "binned/rasterize.wgsl": [stage("5-rasterize"), draw],
  "binned/rasterizeBackward.wgsl": [stage("6-rasterizeBackward")],
  "binned/slots.wgsl": [
    { file: "model/binned/slots.ts", name: "rawGradient" },
    gradientOfMoments,
    { file: "model/accumulate.ts", name: "clampGradient" },
  ],
  "binned/support.wgsl": [{ file: "model/support.ts", name: "meetsTile" }],
  "binned/updateBlobs.wgsl": [stage("7-updateBlobs"), updateBlobs],
  "shared/accumulate.wgsl": [{ file: "model/accumulate.ts", name: "treeReduce" }],
  "shared/adam.wgsl": [updateBlobs],
  "shared/blend.wgsl": [{ file: "model/blend.ts", name: "alphaBlend" }],
  "shared/blob.wgsl": [{ file: "model/blob.ts", name: "evalFalloff" }],
  "shared/bounds.wgsl": [{ file: "model/bounds.ts", name: "blobBounds" }],
  "shared/clearDerivatives.wgsl": [differentiate],
  "shared/config.wgsl": [{ file: "gpu/uniforms.ts", name: "jobUniform" }],
  "shared/decode.wgsl": [decode],
  "shared/direct.wgsl": [{ file: "model/blob.ts", name: "decodeDirect" }],
  "shared/loadBlob.wgsl": [decode],
  "shared/loss.wgsl": [{ file: "model/blend.ts", name: "lossBackward" }],
  "shared/smoothstep.wgsl": [{ file: "model/blob.ts", name: "smoothstep" }],
  "shared/summarize.wgsl": [{ file: "statistics.ts", name: "tileListStatistics" }],
  "shared/undo.wgsl": [{ file: "model/blend.ts", name: "undoPixelState" }],
  "shared/updateBlobs.wgsl": [updateBlobs],
  "shared/uv.wgsl": [{ file: "model/uv.ts", name: "calcUV" }],
  "simple/computeDerivatives.wgsl": [differentiate],
  "simple/imageMain.wgsl": [draw],
  "simple/simpleSplatBlobs.wgsl": [differentiate, evalBackward],
  "tiled/bitonicSort.wgsl": [{ file: "model/shortList.ts", name: "bitonicSort" }],
  "tiled/coarseRasterize.wgsl": [{ file: "model/shortList.ts", name: "coarseRasterize" }],
  "tiled/computeDerivatives.wgsl": [differentiate, passes],
  "tiled/fineRasterize.wgsl": [differentiate, transform, evalBackward],
  "tiled/imageMain.wgsl": [draw, passes],
  "tiled/initShortList.wgsl": [{ file: "model/shortList.ts", name: "initShortList" }],
  "tiled/padBuffer.wgsl": [{ file: "model/shortList.ts", name: "padBuffer" }],
  "tiled/shortList.wgsl": [passes],
};
