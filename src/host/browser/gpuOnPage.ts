// The engine on the GPU, for browsers that offer WebGPU to pages only.

export { gpuBackend } from "../../engine/gpu/backend.js";
export { openDevice } from "../../engine/gpu/openDevice.js";
