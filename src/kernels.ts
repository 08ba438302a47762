// What kernels.md imports besides the library and what pages share.

export { KeptKernels } from "./components/kernels/keptKernels.js";
export { kernelDesk } from "./components/kernels/kernelDesk.js";
export { KernelEdits } from "./components/kernels/kernelEdits.js";
export { kernelReading } from "./components/kernels/kernelReading.js";
export { gradientCheckTable, kernelState } from "./components/kernels/kernelState.js";
export { LiveKernels } from "./components/kernels/liveKernels.js";
