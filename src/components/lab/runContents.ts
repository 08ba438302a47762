import type { TrainingState } from "../../engine/model/blobs.js";
import type { StoredRun } from "../../host/browser/runStore.js";
import type { RunContents, WrittenRun } from "../../host/browser/writtenRun.js";
import type { Inspection } from "../training/readbacks.js";
import type { Run } from "../training/run.js";
import { describeBrowser } from "./browserName.js";

/** Returns the contents of a run folder for a run at one of its states. */
export function contentsOf(run: Run, state: TrainingState, inspection?: Inspection): RunContents {
  const { config, target } = run;
  const metrics = run.measured.filter(({ step }) => step <= state.step);
  const last = metrics.at(-1);
  const seconds = last?.seconds ?? 0;
  const { width, height } = target.image;
  return {
    description: {
      config,
      image: { name: target.name, width, height, hash: "" },
      step: state.step,
      recordEvery: 0,
      host: describeBrowser(),
      adapter: run.adapter,
      versions: {},
      timings: {
        finishedAt: new Date().toISOString(),
        seconds,
        stepsPerSecond: state.step / Math.max(seconds, 1e-9),
        ...(last?.stageTimes && { stageTimes: last.stageTimes }),
      },
      result: { loss: last?.loss ?? Number.NaN, psnr: last?.psnr ?? Number.NaN },
    },
    target: target.image,
    metrics,
    state,
    film: new Map([...run.film].filter(([step]) => step <= state.step)),
    ...(inspection && { gradients: inspection.gradients, render: inspection.render }),
  };
}

/** Returns the entry of a run in the store's list. */
export function entryOf(
  run: Run,
  { description, thumbnail }: WrittenRun,
  { id, kind, name }: Pick<StoredRun, "id" | "kind" | "name">,
): Omit<StoredRun, "bytes"> {
  const { inGallery, original } = run.target;
  const storedAt = description.timings.finishedAt;
  return { id, kind, name, storedAt, description, until: run.until, thumbnail, inGallery, original };
}
