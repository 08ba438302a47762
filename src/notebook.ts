// Exports for cells of this site only. They need Framework or files of the site, so the package does not contain them.

export { liveCells } from "./components/cells/liveCells.js";
export { md } from "./components/cells/md.js";
export * as Plot from "./components/figures/plot.js";
export { gallery, preloadImage } from "./components/images/gallery.js";
export { imagePicker } from "./components/images/imagePicker.js";
export * as Inputs from "./components/inputs/inputs.js";
