import * as Plot from "@observablehq/plot";
import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { element, setText } from "../../element.js";
import { count, counted } from "../../format.js";
import { plainChart } from "../../plainChart.js";
import { type Appended, strideScene, traceGather } from "./gather.js";

/** A workgroup of the usual size, and so many blobs that each thread has several. */
const threads = 256;
const blobs = 1024;

/** The slot that each blob got in a workgroup of 256 threads on the reader's GPU. */
export function arrivalChart(engine: BrowserEngine): { node: HTMLElement; start(): void } {
  let appended: Appended[] = [];
  const words = element("p", { class: "slot-words", "aria-live": "polite" });
  const button = element("button", { type: "button", disabled: true, onclick: () => run() }, "Run it again");
  const chart = plainChart(`${count(blobs)} blobs, gathered by ${threads} threads`, 260, ({ width, height }) =>
    Plot.plot({
      width,
      height,
      marginLeft: 48,
      marginBottom: 38,
      ariaLabel: "The slot of each blob in the list before it is sorted",
      x: { label: "blob index", domain: [0, blobs], tickFormat: count, ticks: Math.max(2, Math.floor(width / 90)) },
      y: { label: "slot that it got", domain: [0, blobs], tickFormat: count, grid: true, ticks: 5 },
      marks: [
        Plot.link([0], { x1: 0, y1: 0, x2: blobs, y2: blobs, stroke: "var(--earlier)", strokeDasharray: "4 3" }),
        Plot.dot(appended, { x: "blob", y: "slot", r: 1.6, fill: "var(--current)" }),
      ],
    }),
  );
  const node = element(
    "div",
    { class: "arrival", hidden: engine.kind === "cpu" },
    chart,
    element("div", { class: "slot-run" }, button, words),
  );
  const run = async () => {
    button.disabled = true;
    try {
      const gpu = await pageGpu(engine);
      if (!gpu) throw new Error("The GPU did not open.");
      const scene = strideScene(threads, blobs, 1);
      ({ appended } = await traceGather(gpu, scene, 0, blobs));
      const late = appended.filter(({ blob }, slot) => slot > 0 && appended[slot - 1].blob > blob).length;
      const order =
        late === 0
          ? "in ascending order"
          : `with ${counted(late, "place")} where a smaller index follows a greater one`;
      setText(words, `${count(appended.length)} appended, ${order}. In step, all dots would lie on the dashed line.`);
      chart.refresh();
    } catch (error) {
      setText(words, (error as Error).message.split("\n")[0]);
    }
    button.disabled = false;
  };
  return { node, start: () => engine.kind !== "cpu" && void run() };
}
