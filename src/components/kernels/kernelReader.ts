import type { PipelineName } from "../../engine/config.js";
import type { ShaderLibrary } from "../../engine/shaders.js";
import { Field } from "../inputs/field.js";
import { element } from "../page/element.js";

/** The file in which a pipeline blends a tile's blobs. */
export function blendingKernel(pipeline: PipelineName): string {
  if (pipeline === "simple") return "simple/simpleSplatBlobs.wgsl";
  return pipeline === "binned" ? "binned/rasterize.wgsl" : "tiled/fineRasterize.wgsl";
}

/** The text of every kernel that the page runs, to be read. */
export function kernelReader(shaders: ShaderLibrary, first: string): HTMLElement {
  const paths = [...shaders.keys()].sort();
  const folders = [...new Set(paths.map((path) => path.split("/")[0]))];
  const options = (folder: string) =>
    paths
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => element("option", { value: path, selected: path === first }, path.slice(folder.length + 1)));
  const code = element("code");
  const text = element("pre", { class: "kernel-text", tabindex: 0, "aria-label": "Text of the kernel" }, code);
  const show = () => {
    code.textContent = shaders.get(choice.value) ?? "";
  };
  const groups = folders.map((folder) => element("optgroup", { label: folder }, ...options(folder)));
  const choice = element("select", { onchange: show }, ...groups);
  show();
  const { node } = new Field("A file of shaders/", "WGSL, as it is compiled here.", choice);
  return element("details", { class: "kernel-reader" }, element("summary", {}, "Read the kernels"), node, text);
}
