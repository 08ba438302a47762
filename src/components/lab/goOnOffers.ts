import type { StoredRun } from "../../host/runStore.js";
import { element } from "../element.js";
import { count, counted, decibels } from "../format.js";
import { goOn, type LabControls } from "./goOn.js";
import type { RunSafety } from "./runSafety.js";

/**
 * Offers to go on with what pages that are gone were training, a line each.
 * @param safety or why nothing is stored, as a sentence
 * @param resume a run that the page's address names: it is loaded, and waits
 */
export function goOnOffers(controls: LabControls, safety: RunSafety | string, resume?: string): HTMLElement {
  const { lab, picker } = controls;
  const trouble = element("p", { class: "wrong" });
  const node = element("div", { class: "go-on", role: "status" });
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
      trouble.remove();
      return true;
    } catch (error) {
      trouble.textContent = (error as Error).message;
      node.append(trouble);
      return false;
    }
  };
  const load = (id: string, paused: boolean) =>
    attempt(async () => {
      if (typeof safety === "string") throw new Error(safety);
      await goOn(safety, id, controls, paused);
    });
  const line = (offer: StoredRun, safety: RunSafety) => {
    const goOnWithIt = async () => {
      if (await load(offer.id, false)) text.remove();
    };
    const forgetIt = async () => {
      if (!(await attempt(() => safety.clear(offer.id)))) return;
      text.remove();
      lab.decline(offer);
    };
    const text = element(
      "p",
      { class: offer.description.step < offer.until && "unfinished" },
      element("span", {}, describe(offer)),
      element("button", { type: "button", onclick: goOnWithIt }, "Go on with it"),
      element("button", { type: "button", class: "quiet", onclick: forgetIt }, "Forget it"),
    );
    return text;
  };
  if (typeof safety !== "string") node.append(...lab.offers.map((offer) => line(offer, safety)));
  if (resume !== undefined) {
    void load(resume, true).then((isLoaded) => isLoaded || picker.chooseFromGallery("astronaut"));
  }
  return node;
}

function describe({ description, until, storedAt, name }: StoredRun): string {
  const { config, step, result } = description;
  const when = new Date(storedAt).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const far = step < until ? `step ${count(step)} of ${count(until)}` : `its end at step ${count(step)}`;
  const psnr = decibels(result.psnr ?? Number.POSITIVE_INFINITY);
  return `On ${when}, ${name} with ${counted(config.blobs, "blob")} came to ${far}, ${psnr}, and was not kept.`;
}
