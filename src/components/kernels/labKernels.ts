import { withKernels } from "../../engine/gpu/ownKernels.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { element } from "../page/element.js";
import { KeptKernels } from "./keptKernels.js";
import { changedOnly, libraryWith } from "./kernelEdits.js";

/** The engine with the kernels that the reader chose for the lab, and what there is to say of them, if anything. */
export function labKernels(engine: BrowserEngine): { engine: BrowserEngine; notice: HTMLElement | undefined } {
  const kept = new KeptKernels();
  const files = changedOnly(engine.shaders, kept.lab);
  const names = Object.keys(files).join(", ");
  if (names === "" || engine.kind === "cpu") return { engine, notice: undefined };
  const onclick = () => {
    kept.lab = {};
    location.reload();
  };
  const back = element("button", { type: "button", onclick }, "Train with the shipped kernels");
  const words = element("span");
  const notice = element("p", { class: "lab-kernels", role: "status" }, words, " ", back);
  const tell = (text: string) => {
    words.textContent = text;
  };
  if (kept.isSuspect(files)) {
    tell(`Your edited kernels lost the device, so the lab trains with the shipped ones. Edited: ${names}.`);
    return { engine, notice };
  }
  tell(`The lab trains with your edited kernels: ${names}.`);
  const shaders = libraryWith(engine.shaders, files);
  const lost = () => {
    kept.fail(files);
    tell(`Your edited kernels lost the device and do not run again. Edited: ${names}.`);
  };
  const backend: BrowserEngine["backend"] = (pipeline) =>
    pipeline === "cpu" ? engine.backend(pipeline) : withKernels(engine.backend(pipeline), shaders, { lost });
  return { engine: Object.assign(Object.create(engine) as BrowserEngine, { backend, shaders }), notice };
}
