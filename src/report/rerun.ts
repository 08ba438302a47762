import { html } from "htl";
import { announce, button } from "../components/page/element.js";
import { count, counted, decibels, secondsCount, trainingPsnrText } from "../components/page/format.js";
import type { PipelineName, TrainConfig } from "../engine/config.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import type { Backend } from "../engine/pipeline.js";
import { Trainer } from "../engine/training/trainer.js";
import type { BrowserEngine } from "../host/browser/engine.js";
import type { Report } from "./report.js";

/** Opens an engine. A report asks for no adapter before the reader starts training. */
export type OpenEngine = (
  force?: "cpu",
) => Promise<Pick<BrowserEngine, "kind" | "description" | "fallbackReason" | "backend">>;

/** Milliseconds between two snapshots. */
const interval = 500;

/**
 * Returns buttons that train the recorded job again on this machine, from its first step.
 * @param draw called with all rows of the new run after each snapshot
 * @param hasCpu whether `open` has the CPU engine too
 */
export function rerun(
  report: Report,
  draw: (name: string, rows: readonly MetricsRow[]) => void,
  open: OpenEngine,
  hasCpu: boolean,
): HTMLElement {
  const { config, image, step } = report.description;
  const status = html`<p class="rerun-status" role="status"></p>`;
  const showStatus = (text: string) => announce(status, text, true);
  let controller: AbortController | undefined;

  const train = async (force?: "cpu") => {
    controller = new AbortController();
    const { signal } = controller;
    showButtons();
    showStatus("Opening the engine …");
    try {
      const engine = await open(force);
      if (force !== "cpu" && (engine.kind === "cpu" || (engine.kind === "software" && hasCpu))) {
        throw new NeedsCpu(
          engine.fallbackReason ?? `The only adapter here is a software adapter (${engine.description}).`,
        );
      }
      const { backend, job } = chooseBackend(engine, config, image, force === "cpu");
      const rows: MetricsRow[] = [];
      const name = `here, on ${backend.description}`;
      const trainer = new Trainer(job, report.target, backend);
      for await (const snapshot of trainer.run({ ...extentOf(report), recordEvery: 1000, interval, signal })) {
        if (!node.isConnected) return controller.abort();
        // Training repeats steps after a device loss.
        while ((rows.at(-1)?.step ?? 0) >= snapshot.step) rows.pop();
        rows.push(snapshot);
        draw(name, rows);
        announce(status, `Step ${count(snapshot.step)} of ${count(step)}: ${comparisonText(snapshot)}.`, false);
      }
      const last = rows.at(-1);
      const endText = signal.aborted ? "Stopped" : "Done";
      showStatus(
        last
          ? `${endText} after ${counted(last.step, "step")} in ${secondsCount(trainer.seconds)} s on ${backend.description}: ${comparisonText(last)}.`
          : "Stopped before the first step.",
      );
    } catch (error) {
      showStatus(error instanceof Error ? error.message : String(error));
      if (error instanceof NeedsCpu && hasCpu) offerCpu();
    } finally {
      controller = undefined;
      showButtons();
    }
  };

  /** Returns the training PSNR of a step and that of the recorded run at the same step or the last row before it. */
  const comparisonText = ({ step, psnr }: MetricsRow) => {
    const recorded = report.rows.findLast((row) => row.step <= step);
    return `${trainingPsnrText(psnr)}${recorded ? `, ${decibels(recorded.psnr)} as recorded` : ""}`;
  };
  const start = button("Train again", () => train());
  start.classList.add("primary");
  const stop = button("Stop", () => controller?.abort());
  const onCpu = button("Train on the CPU", () => train("cpu"));
  onCpu.hidden = true;
  const offerCpu = () => {
    onCpu.hidden = false;
    showStatus(
      `${status.textContent} The CPU can train this job, but ${counted(step, "step")} with ${counted(config.blobs, "blob")} and ${count(image.width * image.height)} pixels may take a long time.`,
    );
  };
  const showButtons = () => {
    start.disabled = onCpu.disabled = controller !== undefined;
    stop.disabled = controller === undefined;
  };
  showButtons();
  const node = html`<div class="rerun"><div class="run-buttons">${[start, stop, onCpu]}</div>${status}</div>`;
  return node;
}

/** The job cannot be trained on this machine's GPU. */
class NeedsCpu extends Error {}

/** Returns a backend for the job. A job of the pipeline `cpu` uses `binned` on a GPU, which computes the same function. */
function chooseBackend(
  engine: Awaited<ReturnType<OpenEngine>>,
  config: TrainConfig,
  image: { width: number; height: number },
  onCpu: boolean,
): { backend: Backend; job: TrainConfig } {
  const pipeline: PipelineName = onCpu ? "cpu" : config.pipeline === "cpu" ? "binned" : config.pipeline;
  const job = { ...config, pipeline };
  try {
    const backend = engine.backend(pipeline);
    backend.check(job, image);
    return { backend, job };
  } catch (error) {
    if (onCpu) throw error;
    throw new NeedsCpu(`This GPU cannot train the job: ${(error as Error).message}`);
  }
}

/** Returns the length of the recorded run. */
function extentOf({ description }: Report): { until?: number; seconds?: number } {
  const { goal, step, config } = description;
  if (goal?.kind === "seconds") return { seconds: goal.value };
  // A run with early stopping ends by itself.
  return config.plateau > 0 ? {} : { until: step };
}
