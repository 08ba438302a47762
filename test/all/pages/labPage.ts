import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import type { TrainConfig } from "../../../src/engine/config.js";
import { cpuBackend } from "../../../src/engine/cpu/pipeline.js";
import type { Image } from "../../../src/engine/image/image.js";
import type { Snapshot } from "../../../src/engine/training/snapshot.js";
import { Trainer } from "../../../src/engine/training/trainer.js";
import type { ContextOptions } from "../../support/browser.js";
import {
  openPage,
  readDownload,
  runBarOf,
  scrollTo,
  until,
  type WatchedPage,
  waitForRun,
} from "../../support/pages.js";

/** In the training worker: loses the device at the next step. */
export const loseDevice = `
  const { createCommandEncoder } = GPUDevice.prototype;
  GPUDevice.prototype.createCommandEncoder = function (...args) {
    GPUDevice.prototype.createCommandEncoder = createCommandEncoder;
    this.destroy();
    return createCommandEncoder.apply(this, args);
  };
`;

/** Returns a photograph of 32×24 pixels, as a file and as pixels. */
export async function smallImage() {
  const file = await sharp("data/images/coffee.png").resize(32, 24, { fit: "fill" }).removeAlpha().png().toBuffer();
  const { data } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { file, image: { width: 32, height: 24, data: new Uint8ClampedArray(data) } };
}

/** Returns the rise of the PSNR in Node on the CPU engine, from the first step to the last, in decibels. */
export async function riseInNode(config: TrainConfig, image: Image): Promise<number> {
  const snapshots: Snapshot[] = [];
  for await (const snapshot of new Trainer(config, image, cpuBackend).run({ recordEvery: 1 })) snapshots.push(snapshot);
  return snapshots.at(-1)!.psnr - snapshots[0].psnr;
}

/** The lab in a browser. */
export class LabPage {
  readonly page: Page;
  readonly bar: Locator;
  readonly images: Locator;

  private constructor(readonly watched: WatchedPage) {
    this.page = watched.page;
    this.images = this.page.getByRole("group", { name: "Images of the run" });
    this.bar = runBarOf(this.page);
  }

  /** Opens the lab and its other settings. */
  static async open(query = "", options?: ContextOptions): Promise<LabPage> {
    const lab = new LabPage(await openPage(`/${query}`, options));
    await lab.unfold();
    return lab;
  }

  /** Opens the other settings. */
  async unfold(): Promise<void> {
    await this.page.getByText("All other settings").click();
    await this.page.evaluate(() => window.scrollTo(0, 0));
  }

  /** Leaves the page for the lab of other settings, or loads it again. */
  async visit(query?: string): Promise<void> {
    if (query === undefined) await this.page.reload();
    else await this.page.goto(`/${query}`);
    await this.unfold();
  }

  close(): Promise<void> {
    return this.page.context().close();
  }

  /** Waits until the run bar shows a state. */
  reaches(state: Parameters<typeof waitForRun>[1]): Promise<void> {
    return waitForRun(this.page, state);
  }

  button(name: string): Locator {
    return this.bar.getByRole("button", { name, exact: true });
  }

  /** Returns a control by its label. */
  control(label: string): Locator {
    return this.page.getByLabel(label, { exact: true });
  }

  /** Returns the hint of a control, or its error. */
  hint(label: string): Locator {
    return this.control(label).locator("xpath=ancestor::*[.//*[@role='status']][1]").getByRole("status");
  }

  /** Types a number into a knob and leaves it. */
  async turn(label: string, value: string | number): Promise<void> {
    await this.control(label).fill(String(value));
    await this.control(label).press("Enter");
  }

  /** Returns the step in the run bar. */
  async step(): Promise<number> {
    return Number((await this.bar.getByRole("definition").first().innerText()).replaceAll(",", ""));
  }

  /** Waits until the step in the run bar passes a test. */
  untilStep(test: (step: number) => boolean): Promise<number> {
    return until(() => this.step(), test, "the run's step");
  }

  async chooseImage(file: Buffer, name = "cup.png", mimeType = "image/png"): Promise<void> {
    await this.page
      .getByLabel("Drop or paste an image, or pick a file")
      .setInputFiles({ name, mimeType, buffer: file });
  }

  async loadConfig(text: string, name = "config.json"): Promise<void> {
    const file = { name, mimeType: "application/json", buffer: Buffer.from(text) };
    await this.control("Load a config").setInputFiles(file);
  }

  /** Clicks a download button and reads the file. Waits until tables have reached the step of the run. */
  async download(name: string): Promise<Buffer> {
    const [, table] = /^(parameters|gradients)\.arrow$/.exec(name) ?? [];
    if (table) await this.table(table as "parameters" | "gradients");
    const [download] = await Promise.all([
      this.page.waitForEvent("download"),
      this.page.getByRole("button", { name }).click(),
    ]);
    return readDownload(download);
  }

  /** Returns the table of parameters or of gradients. */
  tableOf(name: "parameters" | "gradients"): Locator {
    const caption = { parameters: /^\s*Parameters after/, gradients: /^\s*Gradients at/ }[name];
    // That of the pinned blob has two rows.
    return this.page.locator("form:has(tbody tr:nth-child(5))").filter({ hasText: caption });
  }

  /** Returns the cells of a table, header first, once the tables have reached the step in the run bar. */
  async table(name: "parameters" | "gradients"): Promise<string[][]> {
    // A table under the pointer is frozen.
    await this.page.mouse.move(0, 0);
    const step = await this.step();
    const caption = { parameters: `Parameters after ${step} step`, gradients: `, for step ${step + 1}` }[name];
    await scrollTo(this.page.getByRole("heading", { name: "Parameters", exact: true }), this.page.getByText(caption));
    return this.tableOf(name)
      .locator("tr")
      .evaluateAll((rows) => rows.map((row) => Array.from(row.children, (cell) => cell.textContent!).slice(1)));
  }

  /** Returns the RGBA bytes of the first canvas with a label. */
  canvas(label: string | RegExp, page = this.page): Promise<number[]> {
    return page
      .getByLabel(label)
      .first()
      .evaluate((node) => {
        const { width, height } = node as HTMLCanvasElement;
        // A copy, because browsers warn of canvases that are read often.
        const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
        copy.drawImage(node as HTMLCanvasElement, 0, 0);
        return [...copy.getImageData(0, 0, width, height).data];
      });
  }

  /** Returns the lines of a chart, by its label. */
  lines(label: string): Locator {
    return this.page.getByLabel(label, { exact: true }).locator('[aria-label="line"] path');
  }
}
