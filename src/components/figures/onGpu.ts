import type { Gpu } from "../../engine/gpu/device.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { pageGpu } from "../../host/browser/pageGpu.js";
import { element } from "../page/element.js";
import { failed, tellTrouble } from "../page/help.js";
import { whenSeen } from "./seen.js";

/**
 * What a small kernel has to say, as a line or a figure: asked once it is seen, and given up when its cell runs again.
 * Where there is no GPU, or something goes wrong, it says so.
 * @param compute gets a signal that is aborted when nobody waits for it any more
 * @param invalidation Framework's promise that the cell has run its time
 */
export function onGpu(
  engine: BrowserEngine,
  compute: (gpu: Gpu, signal: AbortSignal) => Promise<Node | string>,
  invalidation: Promise<unknown>,
): HTMLElement {
  const place = element("div", { class: "on-gpu" }, "…");
  const tellNone = () => tellTrouble(place, "There is no GPU on this page.", "There is no GPU");
  // That is known at once, so that it stands there before a reader has gone by.
  if (engine.kind === "cpu") {
    tellNone();
    return place;
  }
  place.ariaBusy = "true";
  const gone = new AbortController();
  const { signal } = gone;
  const ask = async () => {
    // A reader who goes through many values asks about the one where they stay.
    await new Promise((resolve) => setTimeout(resolve, 150));
    if (signal.aborted) return;
    const gpu = await pageGpu(engine);
    if (signal.aborted) return;
    if (gpu) place.replaceChildren(await compute(gpu, signal));
    else tellNone();
  };
  whenSeen(place, () => {
    ask()
      .catch((error: Error) => {
        if (!signal.aborted) place.replaceChildren(failed("The kernel did not run", error));
      })
      .finally(() => place.removeAttribute("aria-busy"));
  });
  void invalidation.then(() => gone.abort());
  return place;
}
