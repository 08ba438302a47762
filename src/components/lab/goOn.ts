import { runFiles } from "../../engine/runFiles.js";
import type { BrowserEngine } from "../../host/browser.js";
import { openStoredRun } from "../../host/storedRun.js";
import type { Knobs } from "../knobs.js";
import type { PicturePicker } from "../picturePicker.js";
import type { Lab } from "./lab.js";
import type { RunSafety } from "./runSafety.js";

/** What of the page a run that goes on is loaded into. */
export interface LabControls {
  lab: Lab;
  knobs: Knobs;
  picker: PicturePicker;
}

/**
 * Loads a stored run into the lab, which goes on from that very state.
 * @param paused whether it waits there
 * @throws Error of one sentence if it cannot; everything on the page stays as it was
 */
export async function goOn(safety: RunSafety, id: string, controls: LabControls, paused: boolean): Promise<void> {
  const { lab, knobs, picker } = controls;
  const { store } = safety;
  const stored = await store.get(id);
  if (!stored) throw new Error("The run to go on with is not in this browser's storage any more.");
  const record = await openStoredRun(store, stored);
  const { config, image: described, timings } = record.description;
  const [state, metrics, image] = await Promise.all([record.state(), record.metrics(), record.target()]);
  const film = new Map(await Promise.all(record.film.map(async (step) => [step, await record.frame(step)] as const)));
  const file = (await store.file(id, runFiles.target))!;
  const target = { image, original: stored.original ?? image, name: described.name, inGallery: stored.inGallery };
  const place = stored.kind === "latest" ? id : undefined;
  if (place !== undefined) await safety.hold(place);
  knobs.load({ ...config, pipeline: pipelineHere(lab.engine, config.pipeline) });
  const before = {
    state,
    metrics,
    film,
    seconds: timings.seconds,
    until: Math.max(stored.until, state.step),
    place,
  };
  lab.expect({ config: knobs.value, picture: target, before, paused });
  picker.take(target, file);
}

/** All pipelines compute the same, so another one goes on where this browser lacks the run's. */
function pipelineHere({ pipelines }: BrowserEngine, name: (typeof pipelines)[number]) {
  return pipelines.includes(name) ? name : pipelines[0];
}
