// Exports for the chapter gradients.md.

export { adjointOf } from "../components/learn/gradients/adjoints.js";
export { backwardPassNames, checkFigure, checkStep } from "../components/learn/gradients/checkFigure.js";
export { lossDifferenceErrors } from "../components/learn/gradients/differenceErrors.js";
export { gradientsExercises } from "../components/learn/gradients/exercises.js";
export { samplePicker } from "../components/learn/gradients/samplePicker.js";
export { slopeFigure } from "../components/learn/gradients/slopeFigure.js";
export { stageFigure } from "../components/learn/gradients/stageFigure.js";
