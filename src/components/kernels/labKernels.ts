import { html } from "htl";
import { withCustomKernels } from "../../engine/gpu/customKernels.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { changedOnly, libraryWith } from "./kernelEdits.js";
import { SavedKernels } from "./savedKernels.js";

/** Returns the engine with the kernels that the reader chose for the lab, and a notice about them, if there are any. */
export function labKernels(engine: BrowserEngine): { engine: BrowserEngine; notice: HTMLElement | undefined } {
  const saved = new SavedKernels();
  const files = changedOnly(engine.shaders, saved.lab);
  const names = Object.keys(files).join(", ");
  if (names === "" || engine.kind === "cpu") return { engine, notice: undefined };
  const onclick = () => {
    saved.lab = {};
    location.reload();
  };
  const textNode = html`<span></span>`;
  const notice = html`<p class="lab-kernels" role="status">
    ${textNode} <button type="button" onclick=${onclick}>Train with the shipped kernels</button>
  </p>`;
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
