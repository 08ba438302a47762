import { html } from "htl";
import type { TrainConfig } from "../../engine/config.js";
import { runFiles } from "../../engine/files/runFiles.js";
import { RunRecord } from "../../engine/files/runRecord.js";
import type { Size } from "../../engine/image/image.js";
import { blobSource } from "../../host/browser/blobSource.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { ChosenImage } from "../../host/browser/images.js";
import type { StoredRun } from "../../host/browser/runStore.js";
import type { ImagePicker } from "../images/imagePicker.js";
import { deleteButton } from "../inputs/deleteButton.js";
import { bytesText, count, counted, psnrText, trainingPsnrText } from "../page/format.js";
import { showError } from "../page/help.js";
import type { Continuation } from "../training/job.js";
import type { Settings } from "../training/settings.js";
import type { Autosave } from "./autosave.js";

/** The parts of the page that a resumed run is loaded into. */
export interface LabControls {
  engine: BrowserEngine;
  settings: Settings;
  picker: ImagePicker;
}

/** An input for `view`. Its value is the run to resume, or null. */
export type ResumeOffers = HTMLElement & {
  value: Continuation | null;
  /** Returns whether there is an offer to resume this job. The page then does not start it by itself. */
  waits(config: TrainConfig, image: ChosenImage): boolean;
};

/** Offers that are always visible. All others are in a folded list. */
const visibleOffers = 3;

/**
 * Offers to resume or delete the unsaved runs of closed pages, one per line.
 * @param safety the page's autosave, or the reason why nothing is saved
 * @param offers the unsaved runs
 * @param resume id of the run that the page's address names. It is loaded, paused.
 */
export function resumeOffers(
  controls: LabControls,
  safety: Autosave | string,
  offers: readonly StoredRun[],
  resume?: string,
): ResumeOffers {
  const errorText = html`<p class="wrong"></p>`;
  const node = html<ResumeOffers>`<div class="resume-offers" role="status"></div>`;
  let left = typeof safety === "string" ? [] : offers.filter(({ id }) => id !== resume);
  const offered = left.length;
  let waitingJob: Parameters<ResumeOffers["waits"]> | undefined;
  let hasStarted = false;
  const dispatchInput = () => node.dispatchEvent(new Event("input", { bubbles: true }));
  const show = () => {
    const lines = left.map(
      (offer) => html`<p class=${offer.description.step < offer.until && "unfinished"}>
        <span>${describe(offer)}</span>
        <button type="button" onclick=${() => void load(offer.id, false)}>Resume</button>
        ${deleteButton("Delete", offer.bytes, () => void clear([offer]))}
      </p>`,
    );
    const others = left.slice(visibleOffers);
    const bytes = others.reduce((sum, offer) => sum + offer.bytes, 0);
    // It stays open when one of its offers is gone.
    const list = html`<details class="other-offers" open=${left.length < offered}>
      <summary>${counted(others.length, "more unsaved run")}, ${bytesText(bytes)}</summary>
      ${lines.slice(visibleOffers)}
      <p>${deleteButton("Delete all", bytes, () => void clear(others))}</p>
    </details>`;
    node.replaceChildren(...lines.slice(0, visibleOffers));
    if (others.length > 0) node.append(list);
    if (errorText.firstChild) node.append(errorText);
  };
  const attempt = async (work: (safety: Autosave) => Promise<void>) => {
    errorText.replaceChildren();
    try {
      if (typeof safety === "string") throw new Error(safety);
      await work(safety);
    } catch (error) {
      showError(errorText, (error as Error).message, "A file or a run cannot be read");
    }
    show();
  };
  const remove = (id: string) => {
    left = left.filter((offer) => offer.id !== id);
  };
  const load = (id: string, paused: boolean) =>
    attempt(async (safety) => {
      node.value = await loadRun(safety, id, controls, paused);
      remove(id);
      // The resumed run replaces the page's own job.
      waitingJob = undefined;
      dispatchInput();
    });
  const clear = (gone: StoredRun[]) =>
    attempt(async (safety) => {
      for (const { id } of gone) await safety.clear(id).then(() => remove(id));
      // The job that waited for an answer starts.
      if (waitingJob) dispatchInput();
    });
  show();
  node.value = null;
  node.waits = (...job) => {
    const isOffered = (!hasStarted || waitingJob !== undefined) && left.some((offer) => isJobOf(offer, ...job));
    hasStarted = true;
    waitingJob = isOffered ? job : undefined;
    return isOffered;
  };
  if (resume !== undefined) {
    void load(resume, true).then(() => node.value ?? controls.picker.chooseFromGallery("astronaut"));
  }
  return node;
}

/** Returns whether a stored run is an unfinished run of this job, in any pipeline. */
function isJobOf({ description, until, inGallery }: StoredRun, config: TrainConfig, chosen: ChosenImage): boolean {
  const { config: storedConfig, image, step } = description;
  const keyOf = (config: TrainConfig, name: string, { width, height }: Size, inGallery?: string) =>
    JSON.stringify([{ ...config, pipeline: undefined }, name, width, height, inGallery]);
  const isSame =
    keyOf(storedConfig, image.name, image, inGallery) === keyOf(config, chosen.name, chosen.image, chosen.inGallery);
  return isSame && step < until;
}

/**
 * Loads a stored run into the page's inputs.
 * @param paused whether the run stays paused
 * @throws Error, and changes nothing, if the run cannot be read
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
  const record = await RunRecord.open(blobSource(stored.name, (file) => store.file(stored.id, file)));
  const { config, image: storedImage, timings } = record.description;
  const [state, metrics, image] = await Promise.all([record.state(), record.metrics(), record.target()]);
  const film = new Map(await Promise.all(record.film.map(async (step) => [step, await record.frame(step)] as const)));
  const file = (await store.file(id, runFiles.target))!;
  const target = { image, original: stored.original ?? image, name: storedImage.name, inGallery: stored.inGallery };
  const storeId = stored.kind === "latest" ? id : undefined;
  if (storeId !== undefined) await safety.lock(storeId);
  // All pipelines compute the same function, so another one can continue if this browser lacks the run's.
  const pipeline = engine.pipelines.includes(config.pipeline) ? config.pipeline : engine.pipelines[0];
  settings.load({ ...config, pipeline });
  picker.take(target, file);
  const { seconds } = timings;
  const resumePoint = { state, metrics, film, seconds, until: Math.max(stored.until, state.step), storeId };
  return { config: settings.config, image: target, resumePoint, paused };
}

function describe({ description, until, storedAt, name, bytes, thumbnail }: StoredRun): string {
  const { config, step, result } = description;
  const storedTime = new Date(storedAt).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const progress = step < until ? `step ${count(step)} of ${count(until)}` : `done at step ${count(step)}`;
  // A state that was saved without a render has only the training PSNR.
  const psnr = (thumbnail ? psnrText : trainingPsnrText)(result.psnr ?? Number.POSITIVE_INFINITY);
  return `Unsaved run: ${name}, ${counted(config.blobs, "blob")}, ${progress}, ${psnr}, ${storedTime} (${bytesText(bytes)}).`;
}
