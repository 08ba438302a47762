import type { TrainConfig } from "../../engine/config.js";
import { runFiles } from "../../engine/files/runFiles.js";
import type { Size } from "../../engine/image/image.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { ChosenImage } from "../../host/browser/pictures.js";
import type { StoredRun } from "../../host/browser/runStore.js";
import { openStoredRun } from "../../host/browser/storedRun.js";
import type { ImagePicker } from "../images/imagePicker.js";
import { deleteButton } from "../inputs/deleteButton.js";
import { element, setText } from "../page/element.js";
import { bytesText, count, counted, psnrText, trainingPsnrText } from "../page/format.js";
import { showError } from "../page/help.js";
import type { Continuation } from "../training/run.js";
import type { Settings } from "../training/settings.js";
import type { Autosave } from "./autosave.js";

/** What of the page a run that goes on is loaded into. */
export interface LabControls {
  engine: BrowserEngine;
  settings: Settings;
  picker: ImagePicker;
}

/** An input for `view`, whose value is the run to go on with, or null. */
export type ResumeOffers = HTMLElement & {
  value: Continuation | null;
  /** Whether this job has been begun before, so that the page does not begin it by itself while it is offered. */
  waits(config: TrainConfig, picture: ChosenImage): boolean;
};

/** Runs that are offered in sight; all others are in a list that opens. */
const visibleOffers = 3;

/**
 * Offers to resume or delete what pages that are gone were training, a line each.
 * @param safety or why nothing is stored, as a sentence
 * @param offers the runs that can be gone on with
 * @param resume a run that the page's address names: it is loaded, and waits
 */
export function resumeOffers(
  controls: LabControls,
  safety: Autosave | string,
  offers: readonly StoredRun[],
  resume?: string,
): ResumeOffers {
  const errorText = element("p", { class: "wrong" });
  const node = element("div", { class: "go-on", role: "status" }) as unknown as ResumeOffers;
  const lines = new Map<StoredRun, HTMLElement>();
  let waitingJob: Parameters<ResumeOffers["waits"]> | undefined;
  let hasStarted = false;
  const dispatchInput = () => node.dispatchEvent(new Event("input", { bubbles: true }));
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
      errorText.remove();
      return true;
    } catch (error) {
      showError(errorText, (error as Error).message, "A file or a run cannot be read");
      node.append(errorText);
      return false;
    }
  };
  const load = (id: string, paused: boolean) =>
    attempt(async () => {
      if (typeof safety === "string") throw new Error(safety);
      node.value = await loadRun(safety, id, controls, paused);
      // The page's own job gives way.
      waitingJob = undefined;
      dispatchInput();
    });
  if (typeof safety !== "string") {
    const summary = element("summary");
    const deletion = element("p");
    const list = element("details", { class: "go-on-others" }, summary);
    const showOthers = () => {
      const others = [...lines].filter(([, text]) => text.parentNode === list).map(([offer]) => offer);
      const bytes = others.reduce((sum, offer) => sum + offer.bytes, 0);
      list.hidden = others.length === 0;
      setText(summary, `${counted(others.length, "more unsaved run")}, ${bytesText(bytes)}`);
      const deleteAll = async () => {
        for (const offer of others) await deleteOffer(offer);
      };
      deletion.replaceChildren(deleteButton("Delete all", bytes, () => void deleteAll()));
    };
    const removeOffer = (offer: StoredRun) => {
      lines.get(offer)!.remove();
      lines.delete(offer);
      showOthers();
    };
    const deleteOffer = async (offer: StoredRun) => {
      if (!(await attempt(() => safety.clear(offer.id)))) return;
      removeOffer(offer);
      // The run that waited for an answer begins.
      if (waitingJob) dispatchInput();
    };
    const resumeOffer = async (offer: StoredRun) => {
      if (await load(offer.id, false)) removeOffer(offer);
    };
    for (const offer of offers.filter(({ id }) => id !== resume)) {
      const text = element(
        "p",
        { class: offer.description.step < offer.until && "unfinished" },
        element("span", {}, describe(offer)),
        element("button", { type: "button", onclick: () => void resumeOffer(offer) }, "Resume"),
        deleteButton("Delete", offer.bytes, () => void deleteOffer(offer)),
      );
      lines.set(offer, text);
      (lines.size > visibleOffers ? list : node).append(text);
    }
    list.append(deletion);
    node.append(list);
    showOthers();
  }
  node.value = null;
  node.waits = (...job) => {
    const isOffered =
      (!hasStarted || waitingJob !== undefined) && [...lines.keys()].some((offer) => isJobOf(offer, ...job));
    hasStarted = true;
    waitingJob = isOffered ? job : undefined;
    return isOffered;
  };
  if (resume !== undefined) {
    void load(resume, true).then((isLoaded) => isLoaded || controls.picker.chooseFromGallery("astronaut"));
  }
  return node;
}

/** Whether a stored run is of this job, by whatever pipeline, and has not come to its end. */
function isJobOf({ description, until, inGallery }: StoredRun, config: TrainConfig, picture: ChosenImage): boolean {
  const { config: stored, image, step } = description;
  const job = (of: TrainConfig, name: string, { width, height }: Size, from?: string) =>
    JSON.stringify([{ ...of, pipeline: undefined }, name, width, height, from]);
  const isSame =
    job(stored, image.name, image, inGallery) === job(config, picture.name, picture.image, picture.inGallery);
  return isSame && step < until;
}

/**
 * Loads a stored run into the page's inputs.
 * @param paused whether it waits there
 * @throws Error of one sentence if it cannot; everything on the page stays as it was
 */
async function loadRun(
  safety: Autosave,
  id: string,
  { engine, settings, picker }: LabControls,
  paused: boolean,
): Promise<Continuation> {
  const { store } = safety;
  const stored = await store.get(id);
  if (!stored) throw new Error("The run to resume is no longer in this browser's storage.");
  const record = await openStoredRun(store, stored);
  const { config, image: storedImage, timings } = record.description;
  const [state, metrics, image] = await Promise.all([record.state(), record.metrics(), record.target()]);
  const film = new Map(await Promise.all(record.film.map(async (step) => [step, await record.frame(step)] as const)));
  const file = (await store.file(id, runFiles.target))!;
  const picture = { image, original: stored.original ?? image, name: storedImage.name, inGallery: stored.inGallery };
  const storeId = stored.kind === "latest" ? id : undefined;
  if (storeId !== undefined) await safety.lock(storeId);
  // All pipelines compute the same, so another one goes on where this browser lacks the run's.
  const pipeline = engine.pipelines.includes(config.pipeline) ? config.pipeline : engine.pipelines[0];
  settings.load({ ...config, pipeline });
  picker.take(picture, file);
  const { seconds } = timings;
  const resumePoint = { state, metrics, film, seconds, until: Math.max(stored.until, state.step), storeId };
  return { config: settings.config, image: picture, resumePoint, paused };
}

function describe({ description, until, storedAt, name, bytes, thumbnail }: StoredRun): string {
  const { config, step, result } = description;
  const storedTime = new Date(storedAt).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const progress = step < until ? `step ${count(step)} of ${count(until)}` : `done at step ${count(step)}`;
  // A state that was stored without its render has the PSNR of its last training step.
  const psnr = (thumbnail ? psnrText : trainingPsnrText)(result.psnr ?? Number.POSITIVE_INFINITY);
  return `Unsaved run: ${name}, ${counted(config.blobs, "blob")}, ${progress}, ${psnr}, ${storedTime} (${bytesText(bytes)}).`;
}
