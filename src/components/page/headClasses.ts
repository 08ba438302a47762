// In the head of every page, before the first paint: some slots stay empty without WebGPU.
export {};

document.documentElement.classList.toggle("without-webgpu", !("gpu" in navigator));
