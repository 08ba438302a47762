import { withCustomKernels } from "../../engine/gpu/customKernels.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { element } from "../page/element.js";
import { changedOnly, libraryWith } from "./kernelEdits.js";
import { SavedKernels } from "./savedKernels.js";

/** The engine with the kernels that the reader chose for the lab, and what there is to say of them, if anything. */
export function labKernels(engine: BrowserEngine): { engine: BrowserEngine; notice: HTMLElement | undefined } {
  const saved = new SavedKernels();
  const files = changedOnly(engine.shaders, saved.lab);
  const names = Object.keys(files).join(", ");
  if (names === "" || engine.kind === "cpu") return { engine, notice: undefined };
  const onclick = () => {
    saved.lab = {};
    location.reload();
  };
  const restoreButton = element("button", { type: "button", onclick }, "Train with the shipped kernels");
  const textNode = element("span");
  const notice = element("p", { class: "lab-kernels", role: "status" }, textNode, " ", restoreButton);
  const setNotice = (text: string) => {
    textNode.textContent = text;
  };
  if (saved.isSuspect(files)) {
    setNotice(`Your edited kernels lost the device, so the lab trains with the shipped ones. Edited: ${names}.`);
    return { engine, notice };
  }
  setNotice(`The lab trains with your edited kernels: ${names}.`);
  const shaders = libraryWith(engine.shaders, files);
  const lost = () => {
    saved.fail(files);
    setNotice(`Your edited kernels lost the device and do not run again. Edited: ${names}.`);
  };
  const backend: BrowserEngine["backend"] = (pipeline) =>
    pipeline === "cpu"
      ? engine.backend(pipeline)
      : withCustomKernels(engine.backend(pipeline), shaders, { onLost: lost });
  return { engine: Object.assign(Object.create(engine) as BrowserEngine, { backend, shaders }), notice };
}
