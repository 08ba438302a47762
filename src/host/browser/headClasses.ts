// In the head of every page, before the first paint: a chapter is shown as slides if its address has the parameter
// `slides`, and some slots stay empty without WebGPU.
export {};

const { classList } = document.documentElement;
if (/\/learn\/./.test(location.pathname) && new URLSearchParams(location.search).has("slides")) classList.add("slides");
classList.toggle("without-webgpu", !("gpu" in navigator));
