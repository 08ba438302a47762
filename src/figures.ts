// Inputs, figures and sentences that several pages share.

export { accent, cardLook, faint, muted, paper, tint } from "./components/figures/cardLook.js";
export { codePairs } from "./components/figures/codePairs.js";
export { facts, figure } from "./components/figures/figure.js";
export { gpuOutput } from "./components/figures/gpuOutput.js";
export { imageCanvas } from "./components/figures/imageCanvas.js";
export { pointAt } from "./components/figures/pointing.js";
export { imageWipe } from "./components/images/imageWipe.js";
export { computeButton } from "./components/inputs/computeButton.js";
export { gridPicker } from "./components/inputs/gridPicker.js";
export { inspectionInput } from "./components/inputs/inspectionInput.js";
export { numberField } from "./components/inputs/numberField.js";
export { setInputValue } from "./components/inputs/setInputValue.js";
export { stepper } from "./components/inputs/stepper.js";
export { textField } from "./components/inputs/textField.js";
export { runInFrames } from "./components/lab/runInFrames.js";
export { prediction } from "./components/learn/exercises/prediction.js";
export { bytesText, count, counted, decibels, inWords, psnrText, secondsText } from "./components/page/format.js";
export { helpLink } from "./components/page/help.js";
export { axisRange } from "./components/runs/axisRange.js";
export { divergedAt, renderAt, ruleAt } from "./components/runs/ruleAt.js";
export { writeLink } from "./components/training/link.js";
export { tileGrid } from "./engine/model/uv.js";
