import { announce, element } from "../components/page/element.js";
import { count, counted, decibels, secondsCount, trainingPsnrText } from "../components/page/format.js";
import type { PipelineName, TrainConfig } from "../engine/config.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import type { Backend } from "../engine/pipeline.js";
import { Trainer } from "../engine/training/trainer.js";
import type { BrowserEngine } from "../host/browser/engine.js";
import type { Report } from "./report.js";

/** What opens an engine; nothing asks for an adapter before the reader does. */
export type OpenEngine = (
  force?: "cpu",
) => Promise<Pick<BrowserEngine, "kind" | "description" | "fallbackReason" | "backend">>;

/** Milliseconds between two snapshots, and so between two drawings. */
const interval = 500;

/**
 * A button that trains the recorded job again, here, from its own first step.
 * @param draw draws what there is of the new run; its rows may grow
 * @param open opens the engine that this page has
 * @param hasCpu whether it has the CPU engine too
 */
export function rerun(
  report: Report,
  draw: (name: string, rows: readonly MetricsRow[]) => void,
  open: OpenEngine,
  hasCpu: boolean,
): HTMLElement {
  const { config, image, step } = report.description;
  const status = element("p", { class: "rerun-status", role: "status" });
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
        // After a lost device steps come again.
        while ((rows.at(-1)?.step ?? 0) >= snapshot.step) rows.pop();
        rows.push(snapshot);
        draw(name, rows);
        announce(status, `Step ${count(snapshot.step)} of ${count(step)}: ${comparisonText(snapshot)}.`, false);
      }
      const last = rows.at(-1);
      const endText = signal.aborted ? "Stopped" : "Done";
      if (last) {
        showStatus(
          `${endText} after ${counted(last.step, "step")} in ${secondsCount(trainer.seconds)} s on ${backend.description}: ${comparisonText(last)}.`,
        );
      } else showStatus("Stopped before the first step.");
    } catch (error) {
      showStatus(error instanceof Error ? error.message : String(error));
      if (error instanceof NeedsCpu && hasCpu) offerCpu();
    } finally {
      controller = undefined;
      showButtons();
    }
  };

  /** A step's training PSNR, and that of the recorded run at that step or the nearest before it. */
  const comparisonText = ({ step, psnr }: MetricsRow) => {
    const recorded = report.rows.findLast((row) => row.step <= step);
    return `${trainingPsnrText(psnr)}${recorded ? `, ${decibels(recorded.psnr)} as recorded` : ""}`;
  };
  const start = element("button", { type: "button", class: "primary", onclick: () => train() }, "Train again");
  const stop = element("button", { type: "button", onclick: () => controller?.abort() }, "Stop");
  const onCpu = element("button", { type: "button", onclick: () => train("cpu") }, "Train on the CPU");
  onCpu.hidden = true;
  const offerCpu = () => {
    onCpu.hidden = false;
    showStatus(
      `${status.textContent} The CPU can train this job, but it has to blend ${counted(config.blobs, "blob")} into ${count(image.width * image.height)} pixels in each of ${counted(step, "step")}, which may take a long time.`,
    );
  };
  const showButtons = () => {
    start.disabled = onCpu.disabled = controller !== undefined;
    stop.disabled = controller === undefined;
  };
  showButtons();
  const node = element("div", { class: "rerun" }, element("div", { class: "run-buttons" }, start, stop, onCpu), status);
  return node;
}

/** The job cannot be trained on a GPU here. */
class NeedsCpu extends Error {}

/** All pipelines compute the same function; a job of the CPU's is trained by the fastest one where there is a GPU. */
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

/** How far the recorded run went. */
function extentOf({ description }: Report): { until?: number; seconds?: number } {
  const { goal, step, config } = description;
  if (goal?.kind === "seconds") return { seconds: goal.value };
  // One that looked for a plateau ends by itself.
  return config.plateau > 0 ? {} : { until: step };
}
