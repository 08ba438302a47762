import type { TrainConfig } from "../../engine/config.js";
import { fieldOf } from "../../engine/fields.js";
import { type SweptRow, sweepFile } from "../../engine/files/sweepFile.js";
import { toImage } from "../../engine/image/image.js";
import { lossOf, psnrOfLoss } from "../../engine/image/metrics.js";
import { type PlannedRun, plannedRuns, type Sweep, type SweptResult } from "../../engine/sweep/sweep.js";
import { Trainer } from "../../engine/training/trainer.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { ChosenImage } from "../../host/browser/images.js";
import { imageCanvas } from "../figures/imageCanvas.js";
import { freezeUsedNodes } from "../inputs/usedNodes.js";
import { ChangeSignal, follow } from "../training/follow.js";

/** The points of a training curve. */
const curvePoints = 60;

/** A run, with the values of the swept fields by their names. */
type SweepRun = Partial<Omit<SweptResult, "status">> & {
  status: SweptResult["status"] | "waiting" | "training";
  plan: PlannedRun;
  /** Address of the last render. */
  render?: string;
};

/** Trains runs one after the other until `invalidation` resolves. The generators that it returns are for cells. */
export function trainSweep(
  { engine, image, sweep }: { engine: BrowserEngine; image: ChosenImage; sweep: Sweep },
  invalidation: Promise<unknown>,
) {
  const change = new ChangeSignal();
  const controller = new AbortController();
  const placeOf = ({ values }: PlannedRun) => Object.fromEntries(sweep.vary.map(({ field }, i) => [field, values[i]]));
  let runs = plannedRuns(sweep).map((plan): SweepRun => {
    const { refusal: sentence = "" } = plan;
    return { ...placeOf(plan), status: sentence ? "refused" : "waiting", sentence, plan };
  });
  let curves: object[] = [];
  let progress = "";
  const train = async (run: number, plan: PlannedRun, config: TrainConfig): Promise<Partial<SweepRun>> => {
    const name = sweep.vary.map(({ field }, i) => `${fieldOf(field).label} ${plan.values[i]}`).join(", ");
    let release = async () => {};
    try {
      const trainer = new Trainer(config, image.image, engine.backend(config.pipeline));
      release = trainer.retain();
      const recordEvery = Math.ceil(config.steps / curvePoints);
      for await (const { step, loss, psnr, recorded } of trainer.run({ recordEvery, signal: controller.signal })) {
        if (!Number.isFinite(loss)) throw new Error(`The loss is ${loss} at step ${step}.`);
        if (recorded) curves = [...curves, { ...placeOf(plan), run, step, psnr }];
        progress = `Run ${run + 1} of ${runs.length}: ${name}, step ${step} of ${config.steps}`;
        change.notify();
      }
      const { step, seconds } = trainer;
      const render = await trainer.render();
      const loss = lossOf(render, image.image);
      const address = imageCanvas(toImage(render)).toDataURL();
      const stepsPerSecond = step / Math.max(seconds, 1e-9);
      return { status: "done", loss, psnr: psnrOfLoss(loss), seconds, stepsPerSecond, step, render: address };
    } catch (error) {
      return { status: "failed", sentence: (error as Error).message };
    } finally {
      await release();
    }
  };
  const trainAll = async () => {
    const update = (index: number, changes: Partial<SweepRun>) => {
      runs = runs.map((run, i) => (i === index ? { ...run, ...changes } : run));
      change.notify();
    };
    for (const [i, { plan }] of runs.entries()) {
      if (!plan.config || controller.signal.aborted) continue;
      update(i, { status: "training" });
      update(i, await train(i, plan, plan.config));
    }
    progress = "";
    change.notify();
  };
  void trainAll();
  void invalidation.then(() => {
    controller.abort();
    change.end();
  });
  freezeUsedNodes();
  return {
    /** Yields all runs whenever the status of one changes. */
    runs: () => follow(change, () => runs),
    /** Yields the points of all training curves, four times per second at most. */
    curves: () => follow(change, () => curves, { interval: 250 }),
    /** Yields what trains, in a few words; "" at the end. */
    progress: () => follow(change, () => progress),
  };
}

/** Returns sweep.arrow, in the format of the command line. */
export function sweepArrow(sweep: Sweep, { name, image: { width, height } }: ChosenImage, runs: SweepRun[]): Blob {
  const ended = runs.filter(({ status }) => status !== "waiting" && status !== "training");
  const rows = ended.map((run) => ({ ...run, values: run.plan.values, run: "" }) as SweptRow);
  return new Blob([sweepFile({ sweep, image: { name, width, height }, rows }) as Uint8Array<ArrayBuffer>]);
}
