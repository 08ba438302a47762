// Exports for the cells of kernels.md, besides the library and figures.ts.

export { kernelEditor } from "./components/kernels/kernelEditor.js";
export { KernelEdits } from "./components/kernels/kernelEdits.js";
export { LiveKernels } from "./components/kernels/liveKernels.js";
export { suggestedEditsPanel } from "./components/kernels/suggestedEdits.js";
export { percent } from "./components/page/format.js";
export { readLink } from "./components/training/link.js";
export { gradientTolerance, weakTolerance } from "./engine/gradientCheck.js";
