import type { Gpu } from "../../../engine/gpu/device.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { element, setText } from "../../element.js";
import { whenSeen } from "../../seen.js";
import { type PixelJob, type PixelTrace, tracePixel } from "./pixelKernel.js";

/** Runs the stage that trains on a figure's pixel, once it is seen, and has room for what came of it. */
export class KernelNote {
  readonly node = element("p", { class: "kernel-note", "aria-live": "polite" });
  trace: PixelTrace | undefined;
  /** Who ran it, for people. */
  get adapter(): string {
    return this.#gpu?.description ?? "";
  }
  #gpu: Gpu | undefined;
  #job: PixelJob | undefined;
  #traced: PixelJob | undefined;
  #isBusy = false;
  #isSeen = false;

  /** @param changed called when there is a trace, or none any more */
  constructor(
    engine: BrowserEngine,
    readonly changed: () => void,
  ) {
    if (engine.kind === "cpu") {
      this.node.classList.add("is-final");
      setText(this.node, "This page has no GPU: all numbers are those of the kernel's twin on the CPU.");
      return;
    }
    setText(this.node, "The kernel is asked for the same pixel.");
    whenSeen(this.node, () => {
      void pageGpu(engine).then((gpu) => {
        this.#gpu = gpu;
        this.#isSeen = true;
        if (gpu) void this.#run();
        else setText(this.node, "The page's GPU did not open: all numbers are those of the kernel's twin on the CPU.");
      });
    });
  }

  /** Asks for another pixel; what is known of the one before is worth nothing for it. */
  ask(job: PixelJob): void {
    this.#job = job;
    this.trace = undefined;
    if (this.#isSeen) void this.#run();
  }

  async #run(): Promise<void> {
    const job = this.#job;
    if (!this.#gpu || this.#isBusy || !job || job === this.#traced) return;
    this.#isBusy = true;
    this.#traced = job;
    try {
      const trace = await tracePixel(this.#gpu, job);
      if (job === this.#job) this.trace = trace;
      this.changed();
    } catch (error) {
      setText(this.node, `The kernel did not run: ${(error as Error).message}`);
    } finally {
      this.#isBusy = false;
    }
    await this.#run();
  }
}
