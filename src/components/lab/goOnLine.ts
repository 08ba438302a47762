import type { RunStore, StoredRun } from "../../host/runStore.js";
import { element } from "../element.js";
import { count, counted, decibels } from "../format.js";
import { goOn, type LabControls } from "./goOn.js";
import type { RunSafety } from "./runSafety.js";

/**
 * Offers to go on with what a page that is gone was training, and says otherwise how far the present run is stored.
 * @param store or why there is none, as a sentence
 * @param resume a run that the page's address names: it is loaded, and waits
 */
export function goOnLine(
  controls: LabControls,
  store: RunStore | string,
  safety: RunSafety | undefined,
  resume?: string,
): HTMLElement {
  const text = element("span", {});
  const node = element("p", { class: "go-on", role: "status" }, text);
  if (typeof store === "string" || !safety) {
    if (resume !== undefined) tellTrouble(controls, text, String(store));
    else text.textContent = `After a reload a run cannot go on. ${store}`;
    return node;
  }

  let offers: StoredRun[] = [];
  let said: string | undefined;
  const show = () => {
    const [offer] = offers;
    const isOffered = offer !== undefined && said === undefined;
    text.textContent = said ?? (offer ? `${describe(offer)}${rest(offers.length - 1)}` : describeSafety(safety));
    node.replaceChildren(text, ...(isOffered ? [go, forget] : []));
  };
  const load = async (id: string, paused: boolean) => {
    try {
      await goOn(store, id, controls, paused);
      said = undefined;
      offers = offers.filter((offer) => offer.id !== id);
      show();
    } catch (error) {
      said = (error as Error).message;
      show();
      if (paused) controls.picker.chooseFromGallery("astronaut");
    }
  };
  const go = element("button", { type: "button", onclick: () => void load(offers[0].id, false) }, "Go on with it");
  const forget = element(
    "button",
    {
      type: "button",
      class: "quiet",
      onclick: async () => {
        const [offer] = offers.splice(0, 1);
        await store.delete(offer.id);
        show();
      },
    },
    "Forget it",
  );
  safety.observe(show);
  show();
  void safety.abandoned().then(async (found) => {
    offers = found.filter(({ id }) => id !== resume);
    if (resume !== undefined) await load(resume, true);
    show();
  });
  return node;
}

function tellTrouble({ picker }: LabControls, text: HTMLElement, trouble: string): void {
  text.textContent = trouble;
  picker.chooseFromGallery("astronaut");
}

function describe({ description, until, storedAt, name }: StoredRun): string {
  const { config, step, result } = description;
  const when = new Date(storedAt).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const far = step < until ? `step ${count(step)} of ${count(until)}` : `its end at step ${count(step)}`;
  const psnr = decibels(result.psnr ?? Number.POSITIVE_INFINITY);
  return `On ${when}, ${name} with ${counted(config.blobs, "blob")} came to ${far}, ${psnr}, and was not kept.`;
}

function rest(others: number): string {
  return others > 0 ? ` ${counted(others, "more run")} after it.` : "";
}

function describeSafety({ storedStep, trouble }: RunSafety): string {
  if (trouble !== undefined) return `Nothing is stored for after a reload: ${trouble}`;
  const far = storedStep === undefined ? "" : ` Stored now: step ${count(storedStep)}.`;
  return `About every ten seconds the state of the run is stored in this browser, so that it can go on after a reload.${far}`;
}
