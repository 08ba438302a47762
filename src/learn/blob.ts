// Exports for the chapter blob.md.

export { alphaChart, lossChart, slopeChart } from "../components/learn/blob/blobCharts.js";
export {
  blobFacts,
  blobStrip,
  errorsOfPixels,
  gradientTable,
  onePixelFacts,
  renderOfPixels,
  slopeSentence,
} from "../components/learn/blob/blobFigures.js";
export { blobInput } from "../components/learn/blob/blobInput.js";
export {
  lossAndGradient,
  lossCurve,
  meanError,
  oneBlob,
  opaqueAlpha,
  parameterAxes,
  pixelAt,
  pixelsOf,
  startParameters,
} from "../components/learn/blob/blobModel.js";
export { blobExercises } from "../components/learn/blob/exercises.js";
export { dotsTarget, leafTarget } from "../components/learn/blob/targets.js";
export { decode, modelOf } from "../engine/model/blob.js";
export { baseRates } from "../engine/model/rates.js";
