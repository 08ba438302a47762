// What kernels.md imports besides the library and what pages share.

export { kernelEditor } from "./components/kernels/kernelEditor.js";
export { KernelEdits } from "./components/kernels/kernelEdits.js";
export { changedFilesPanel, gradientCheckTable } from "./components/kernels/kernelPanels.js";
export { LiveKernels } from "./components/kernels/liveKernels.js";
export { pipelineSelect } from "./components/kernels/pipelineSelect.js";
export { SavedKernels } from "./components/kernels/savedKernels.js";
