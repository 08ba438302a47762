import { completeConfig, type PipelineName } from "../../engine/config.js";
import type { Image } from "../../engine/image.js";
import type { BrowserEngine } from "../../host/browser.js";
import { element } from "../element.js";
import { count, counted } from "../format.js";

const runs = 3;
/** What adds gradients by compare-and-swap, and what has a slot for each. */
const pipelines: PipelineName[] = ["tiled", "binned"];

/** A CPU that plays a GPU takes its time. */
const jobs = {
  gpu: { blobs: 2048, longest: 256, steps: 200, config: {} },
  software: { blobs: 30, longest: 24, steps: 6, config: { tile: [8, 8], gaussiansPerBlock: 16 } },
};

/** How two runs differ in their final parameters. */
interface Difference {
  parameters: number;
  bits: number;
}

/**
 * A button that trains one job three times in each pipeline, in the reader's browser, and compares the bits.
 * @param pictureOf the picture, its longer side of so many pixels
 */
export function sameBits(engine: BrowserEngine, pictureOf: (longest: number) => Promise<Image>): HTMLElement {
  const status = element("p", { class: "trial-status", "aria-live": "polite" });
  const result = element("div", {});
  const button = element("button", { type: "button", class: "primary" }, "Train three times, and compare");
  const { kind } = engine;
  if (kind === "cpu") {
    button.disabled = true;
    status.textContent = `${engine.because ?? ""} The comparison needs it.`.trim();
    return element("div", { class: "same-bits" }, button, status);
  }
  const { blobs, longest, steps, config } = jobs[kind];
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const image = await pictureOf(longest);
      const rows: HTMLElement[] = [];
      for (const pipeline of pipelines) {
        const ends: Float32Array[] = [];
        for (let run = 0; run < runs; run++) {
          status.textContent = `${pipeline}: run ${run + 1} of ${runs}`;
          const job = completeConfig({ ...config, pipeline, blobs });
          const opened = await engine.backend(pipeline).open(job, image);
          try {
            await opened.advance(steps);
            ends.push((await opened.state()).parameters);
          } finally {
            await opened.free();
          }
        }
        rows.push(rowOf(pipeline, ends));
      }
      status.textContent = `${counted(blobs, "blob")} on ${image.width} × ${image.height} pixels, ${counted(steps, "step")} from the same start, on ${engine.description}.`;
      result.replaceChildren(tableOf(rows));
    } catch (error) {
      status.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      button.disabled = false;
    }
  });
  return element("div", { class: "same-bits" }, button, status, result);
}

function tableOf(rows: HTMLElement[]): HTMLElement {
  const heads = ["pipeline", ...Array.from({ length: runs - 1 }, (_, i) => `run ${i + 2} against run 1`)];
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}

function rowOf(pipeline: string, [first, ...others]: Float32Array[]): HTMLElement {
  const cells = others.map((other) => {
    const { parameters, bits } = compare(first, other);
    const text = `${counted(parameters, "parameter")} of ${count(first.length)} differ, in ${counted(bits, "bit")}`;
    return element("td", {}, parameters === 0 ? `all ${count(first.length)} parameters are the same bits` : text);
  });
  return element("tr", { "data-pipeline": pipeline }, element("th", { scope: "row" }, pipeline), ...cells);
}

/** Parameters whose bits differ, and how many bits. */
export function compare(a: Float32Array, b: Float32Array): Difference {
  const [left, right] = [a, b].map(({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length));
  const difference = { parameters: 0, bits: 0 };
  for (let i = 0; i < left.length; i++) {
    let differing = left[i] ^ right[i];
    if (differing !== 0) difference.parameters++;
    for (; differing !== 0; differing &= differing - 1) difference.bits++;
  }
  return difference;
}
