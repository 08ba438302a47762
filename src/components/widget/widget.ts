import { FileAttachment } from "observablehq:stdlib";
import { html } from "htl";
import type { TrainConfig } from "../../engine/config.js";
import { type BrowserEngine, openEngine } from "../../host/browser/engine.js";
import { decodeImage } from "../../host/browser/images.js";
import { allowsWorkers } from "../../host/inlineWorker.js";
import { imageCanvas } from "../figures/imageCanvas.js";
import { describeEngine } from "../lab/labStart.js";
import { psnrText } from "../page/format.js";
import { arrowFile } from "../tables/arrowTable.js";
import { ChangeSignal, follow, updateWhileShown } from "../training/follow.js";
import { type Run, train } from "../training/run.js";
import { runBar } from "../training/runBar.js";

/** The traits of the widget. Python sets the first four, and `running` too; the widget sets the others. */
export interface WidgetTraits {
  /** A PNG, JPEG or other image file of the browser's formats. */
  image: DataView;
  config: Partial<TrainConfig>;
  /** Largest longer side in pixels; 512 if absent. */
  longest?: number;
  running: boolean;
  step: number;
  /** In decibels; null before the first step. */
  psnr: number | null;
  /** Columns of parameters.arrow. */
  parameters: DataView;
  /** Why there is no training, as a sentence; "" if it is fine. */
  error: string;
}

/** The part of anywidget's model that the widget uses. */
export interface WidgetModel {
  get<Name extends keyof WidgetTraits>(name: Name): WidgetTraits[Name];
  set<Name extends keyof WidgetTraits>(name: Name, value: WidgetTraits[Name]): void;
  save_changes(): void;
  on(event: `change:${keyof WidgetTraits}`, listener: () => void): void;
}

/**
 * Returns the widget of a model, as an anywidget module (https://anywidget.dev/en/afm/). It trains while a cell shows it.
 * All cells that show it share one run.
 */
export default function widget() {
  let training: WidgetTraining;
  return {
    initialize({ model }: { model: WidgetModel }): () => void {
      training = new WidgetTraining(model);
      return () => training.close();
    },
    render: ({ el }: { el: HTMLElement }): Promise<() => void> => training.show(el),
  };
}

const defaultLongest = 512;

/** Bytes of parameters per second that the widget sends at most. */
const bytesPerSecond = 10e6;

/** Starts a run for each image and configuration, and reports its values to the model. */
class WidgetTraining {
  readonly #model: WidgetModel;
  readonly #shown = new ChangeSignal();
  /** The hosts of the views. */
  readonly #views = new Set<HTMLElement>();
  #engine: Promise<BrowserEngine> | undefined;
  #run: Run | undefined;
  /** Says where the blobs train, or why they do not. */
  #sentence = "";
  #controller = new AbortController();

  constructor(model: WidgetModel) {
    this.#model = model;
    for (const trait of ["image", "config", "longest"] as const) {
      model.on(`change:${trait}`, () => {
        if (this.#views.size > 0) void this.#start();
      });
    }
    model.on("change:running", () => {
      const run = this.#run;
      if (!run || model.get("running") === isRunning(run)) return;
      if (isRunning(run)) void run.pause();
      else run.resume();
    });
  }

  /** Shows the training in an element. Returns a function that removes it. */
  async show(el: HTMLElement): Promise<() => void> {
    const [host, body] = [html`<div></div>`, html`<div></div>`];
    const root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(await FileAttachment("./widget.css").text());
    root.adoptedStyleSheets = [sheet];
    root.append(body);
    el.append(host);
    this.#views.add(host);
    if (this.#views.size === 1) void this.#start();
    void updateWhileShown(this.#shown, body, () => {
      const style = this.#model.get("error") === "" ? "" : "run-message";
      const sentence = html`<p role="status" class=${style}>${this.#sentence}</p>`;
      body.replaceChildren(...(this.#run ? [runBar(this.#run), renderOf(this.#run)] : []), sentence);
    });
    return () => {
      host.remove();
      this.#views.delete(host);
      if (this.#views.size === 0) this.#stop();
    };
  }

  close(): void {
    this.#stop();
    void this.#engine?.then((engine) => engine.close());
    this.#engine = undefined;
  }

  async #start(): Promise<void> {
    this.#stop();
    const model = this.#model;
    const { signal } = this.#controller;
    try {
      const image = model.get("image");
      if (image.byteLength === 0) {
        this.#say("image is empty. Set it to the bytes of an image file.");
        return;
      }
      this.#engine ??= openEngine();
      const engine = await this.#engine;
      const file = new Blob([image as DataView<ArrayBuffer>]);
      const decoded = await decodeImage(file, "image", model.get("longest") ?? defaultLongest);
      const where = (await allowsWorkers())
        ? ""
        : " This frame forbids workers from blobs (worker-src in its content security policy). The blobs train on the page's thread.";
      if (signal.aborted) return;
      const ended = new Promise((resolve) => signal.addEventListener("abort", resolve));
      // A software adapter is slower than the CPU engine.
      const config = { pipeline: engine.kind === "gpu" ? undefined : ("cpu" as const), ...model.get("config") };
      const run = train({ ...config, engine, image: { ...decoded, name: "image" } }, ended);
      this.#run = run;
      this.#say(`${describeEngine(engine, undefined, run.config.pipeline)}${where}`);
      await Promise.all([this.#reportState(run, signal), this.#reportParameters(run, signal)]);
    } catch (error) {
      if (!signal.aborted) this.#fail(error as Error);
    }
  }

  #stop(): void {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#run = undefined;
    this.#set({ running: false, error: "" });
  }

  #fail({ message }: Error): void {
    this.#stop();
    this.#set({ error: message });
    this.#say(message);
  }

  #say(sentence: string): void {
    this.#sentence = sentence;
    this.#shown.notify();
  }

  #set(values: Partial<WidgetTraits>): void {
    for (const [name, value] of Object.entries(values)) this.#model.set(name as keyof WidgetTraits, value);
    this.#model.save_changes();
  }

  async #reportState(run: Run, signal: AbortSignal): Promise<void> {
    const values = () => {
      const psnr = run.psnr ?? run.latest?.psnr ?? null;
      return JSON.stringify({ step: run.step, psnr, running: isRunning(run), error: run.error?.message ?? "" });
    };
    for await (const json of follow(run, values)) if (!signal.aborted) this.#set(JSON.parse(json));
  }

  async #reportParameters(run: Run, signal: AbortSignal): Promise<void> {
    for await (const table of run.parameters()) {
      if (signal.aborted) return;
      const { buffer, byteOffset, byteLength } = arrowFile(table);
      this.#set({ parameters: new DataView(buffer, byteOffset, byteLength) });
      await new Promise((resolve) => setTimeout(resolve, (1000 * byteLength) / bytesPerSecond));
    }
  }
}

function isRunning(run: Run): boolean {
  return !run.isIdle && !run.isOver && !run.isPauseRequested;
}

/** Returns an element that shows the latest render of a run. */
function renderOf(run: Run): HTMLElement {
  const node = html`<div></div>`;
  const show = async () => {
    for await (const { image, step, psnr } of run.renders()) {
      node.replaceChildren(imageCanvas(image, `Render at step ${step}, ${psnrText(psnr)}`));
    }
  };
  void show();
  return node;
}
