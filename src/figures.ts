// Inputs, figures and sentences that several pages share.

export { accent, cardLook, faint, muted, paper, tint, unitAtEnd } from "./components/figures/cardLook.js";
export { codeListing } from "./components/figures/codeListing.js";
export { imageCanvas } from "./components/figures/imageCanvas.js";
export { imageWipe } from "./components/images/imageWipe.js";
export { computeButton } from "./components/inputs/computeButton.js";
export { gridPicker } from "./components/inputs/gridPicker.js";
export { setInputValue } from "./components/inputs/setInputValue.js";
export { stepper } from "./components/inputs/stepper.js";
export { textField } from "./components/inputs/textField.js";
export { bytesText, count, counted, decibels, inWords, psnrText } from "./components/page/format.js";
export { helpLink } from "./components/page/help.js";
export { axisRange } from "./components/runs/axisRange.js";
export { divergedAt, renderAt, ruleAt } from "./components/runs/ruleAt.js";
export { writeLink } from "./components/training/link.js";
