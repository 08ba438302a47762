import type { TrainConfig } from "../../engine/config.js";
import { type SweptRow, sweepFile } from "../../engine/files/sweepFile.js";
import { toImage } from "../../engine/image/image.js";
import { lossOf, psnrOfLoss } from "../../engine/image/metrics.js";
import { type PlannedRun, plannedRuns, type Sweep, type SweptResult } from "../../engine/sweep/sweep.js";
import { Trainer } from "../../engine/training/trainer.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { ChosenImage } from "../../host/browser/images.js";
import { imageCanvas } from "../figures/imageCanvas.js";
import { ChangeSignal, follow } from "../training/follow.js";

/** A run, with the values of the swept fields by their names. */
type SweepRun = Partial<Omit<SweptResult, "status">> & {
  status: SweptResult["status"] | "waiting" | "training";
  plan: PlannedRun;
  render?: string;
};

/**
 * Trains runs one after the other until `invalidation` resolves. Returns values for a cell: all runs, whenever the status
 * of one changes, and the points of all training curves, four times per second at most.
 */
export function trainSweep(
  { engine, image, sweep }: { engine: BrowserEngine; image: ChosenImage; sweep: Sweep },
  invalidation: Promise<unknown>,
) {
  const change = new ChangeSignal();
  const controller = new AbortController();
  let runs = plannedRuns(sweep).map((plan): SweepRun => {
    const values = Object.fromEntries(sweep.vary.map(({ field }, i) => [field, plan.values[i]]));
    return { ...values, status: plan.config ? "waiting" : "refused", sentence: plan.refusal ?? "", plan };
  });
  let curves: { run: number; step: number; psnr: number }[] = [];
  const update = (index: number, changes: Partial<SweepRun>) => {
    runs = runs.map((run, i) => (i === index ? { ...run, ...changes } : run));
    change.notify();
  };
  const train = async (run: number, config: TrainConfig): Promise<Partial<SweepRun>> => {
    let release = async () => {};
    try {
      const trainer = new Trainer(config, image.image, engine.backend(config.pipeline));
      release = trainer.retain();
      // A curve has 60 points.
      const recordEvery = Math.ceil(config.steps / 60);
      for await (const { step, psnr, recorded } of trainer.run({ recordEvery, signal: controller.signal })) {
        if (recorded) curves = [...curves, { run, step, psnr }];
        change.notify();
      }
      const { step, seconds } = trainer;
      const render = await trainer.render();
      const loss = lossOf(render, image.image);
      const result = { step, seconds, stepsPerSecond: step / Math.max(seconds, 1e-9), loss, psnr: psnrOfLoss(loss) };
      return { status: "done", ...result, render: imageCanvas(toImage(render)).toDataURL() };
    } catch (error) {
      return { status: "failed", sentence: (error as Error).message };
    } finally {
      await release();
    }
  };
  void (async () => {
    for (const [i, { plan }] of runs.entries()) {
      if (!plan.config || controller.signal.aborted) continue;
      update(i, { status: "training" });
      update(i, await train(i, plan.config));
    }
  })();
  void invalidation.then(() => {
    controller.abort();
    change.end();
  });
  return { runs: follow(change, () => runs), curves: follow(change, () => curves, { interval: 250 }) };
}

/** Returns sweep.arrow, in the format of the command line. */
export function sweepArrow(sweep: Sweep, { name, image: { width, height } }: ChosenImage, runs: SweepRun[]): Blob {
  const ended = runs.filter(({ status }) => status !== "waiting" && status !== "training");
  const rows = ended.map((run) => ({ ...run, values: run.plan.values, run: "" }) as SweptRow);
  return new Blob([sweepFile({ sweep, image: { name, width, height }, rows }) as Uint8Array<ArrayBuffer>]);
}
