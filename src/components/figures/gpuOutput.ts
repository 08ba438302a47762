import type { Gpu } from "../../engine/gpu/device.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { pageGpu } from "../../host/browser/pageGpu.js";
import { element } from "../page/element.js";
import { failureText, showError } from "../page/help.js";
import { onceVisible } from "./onceVisible.js";

/**
 * What a small kernel has to say, as a line or a figure: asked once it is seen, and given up when its cell runs again.
 * Where there is no GPU, or something goes wrong, it says so.
 * @param compute gets a signal that is aborted when nobody waits for it any more
 * @param invalidation Framework's promise that the cell has run its time
 */
export function gpuOutput(
  engine: BrowserEngine,
  compute: (gpu: Gpu, signal: AbortSignal) => Promise<Node | string>,
  invalidation: Promise<unknown>,
): HTMLElement {
  const container = element("div", { class: "on-gpu" }, "…");
  const showNoGpu = () => showError(container, "There is no GPU on this page.", "There is no GPU");
  // That is known at once, so that it stands there before a reader has gone by.
  if (engine.kind === "cpu") {
    showNoGpu();
    return container;
  }
  container.ariaBusy = "true";
  const controller = new AbortController();
  const { signal } = controller;
  const run = async () => {
    // A reader who goes through many values asks about the one where they stay.
    await new Promise((resolve) => setTimeout(resolve, 150));
    if (signal.aborted) return;
    const gpu = await pageGpu(engine);
    if (signal.aborted) return;
    if (gpu) container.replaceChildren(await compute(gpu, signal));
    else showNoGpu();
  };
  onceVisible(container, () => {
    run()
      .catch((error: Error) => {
        if (!signal.aborted) container.replaceChildren(failureText("The kernel did not run", error));
      })
      .finally(() => container.removeAttribute("aria-busy"));
  });
  void invalidation.then(() => controller.abort());
  return container;
}
