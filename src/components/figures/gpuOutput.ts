import { html } from "htl";
import type { Gpu } from "../../engine/gpu/device.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { pageGpu } from "../../host/browser/pageGpu.js";
import { failureText, showError } from "../page/help.js";
import { onceVisible } from "./onceVisible.js";

/**
 * Returns an element with the output of a small kernel, which runs once the element is visible. Without a GPU, or if the
 * kernel fails, it shows the error.
 * @param compute returns the output; its signal is aborted when the cell runs again
 * @param invalidation Framework's promise that resolves when the cell runs again
 */
export function gpuOutput(
  engine: BrowserEngine,
  compute: (gpu: Gpu, signal: AbortSignal) => Promise<Node | string>,
  invalidation: Promise<unknown>,
): HTMLElement {
  const container = html`<div class="on-gpu">…</div>`;
  const showNoGpu = () => showError(container, "There is no GPU on this page.", "There is no GPU");
  // Without a GPU this is known at once.
  if (engine.kind === "cpu") {
    showNoGpu();
    return container;
  }
  container.ariaBusy = "true";
  const controller = new AbortController();
  const { signal } = controller;
  const run = async () => {
    // While the reader moves through values, only the last one runs.
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
