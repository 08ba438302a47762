import { html } from "htl";
import type { Gpu } from "../../../engine/gpu/device.js";
import * as Plot from "../../figures/plot.js";
import { linkAll, linkThings } from "../../figures/pointing.js";
import { scrollBox } from "../../figures/scrollBox.js";
import { scrollIntoBox } from "../../figures/scrollIntoBox.js";
import { tableOf } from "../../page/element.js";
import { count, counted } from "../../page/format.js";
import { withMinus } from "../../page/numberText.js";
import { bitsOf, floatOf, floatText, hex } from "./floatBits.js";
import { traceSwaps } from "./sumKernels.js";
import { countRetries, type SwapState } from "./swapModel.js";
import type { SwapTrace } from "./swapStepper.js";

/** Returns the names of the lines of code that ran in a step. */
export function swapCodeLines({ event }: SwapState): string[] {
  if (!event) return ["code:swap.zero"];
  if (event.action === "load") return ["code:swap.load"];
  if (event.action === "add") return ["code:swap.swap"];
  return ["code:swap.swap", event.exchanged ? "code:swap.exchanged" : "code:swap.retry"];
}

/** Returns a chart of the steps of each thread: ↓ is a load, + an addition, ✓ a swap and ✗ a failed one. */
export function swapLanes({ states, at }: SwapTrace): HTMLElement {
  const steps = states.slice(1).map((state, i) => {
    const { thread, action, exchanged } = state.event!;
    const color = exchanged === undefined ? "theme-foreground-faint" : exchanged ? "current" : "overflow";
    const sign = { load: "↓", add: "+", swap: exchanged ? "✓" : "✗" }[action];
    return { state, step: i + 1, thread, sign, color: `var(--${color})`, isCurrent: i + 1 === at };
  });
  const { threads } = states[0];
  const position = { x: "step", y: "thread" };
  const strokeOpacity = ({ step }: (typeof steps)[number]) => (step > at ? 0.4 : 1);
  const chart = Plot.plot({
    width: 74 + Math.max(20, Math.min(30, 900 / states.length)) * steps.length,
    height: 26 * threads.length + 4,
    ...{ marginLeft: 70, marginTop: 2, marginBottom: 2, marginRight: 4, padding: 0 },
    style: { maxWidth: "none" },
    ariaLabel: `The order of the steps: ${steps.length} of ${threads.length} threads, with ${countRetries(states.at(-1)!)} swaps that failed.`,
    x: { axis: null },
    y: { domain: threads.keys(), label: null, tickSize: 0, tickFormat: (thread: number) => `thread ${thread}` },
    marks: [
      Plot.ruleY(threads.keys(), { stroke: "var(--theme-foreground-fainter)" }),
      Plot.cell(steps, {
        ...position,
        className: "swap-steps",
        inset: 1,
        rx: 3,
        fill: "color",
        fillOpacity: (step) => 0.3 * strokeOpacity(step),
        stroke: ({ isCurrent, color }) => (isCurrent ? "var(--mark-line)" : color),
        strokeWidth: ({ isCurrent }) => (isCurrent ? 2.5 : 1),
        strokeOpacity,
      }),
      Plot.text(steps, { ...position, text: "sign", fillOpacity: strokeOpacity, pointerEvents: "none" }),
    ],
  });
  linkAll(chart, ".swap-steps rect", (i) => [`thread:${steps[i].thread}`, swapCodeLines(steps[i].state).at(-1)!]);
  linkAll(chart, "[aria-label='y-axis tick label'] text", (thread) => [`thread:${thread}`]);
  const box = scrollBox("The order of the steps", chart);
  requestAnimationFrame(() => scrollIntoBox(box, chart.querySelectorAll(".swap-steps rect")[at - 1] ?? null));
  return box;
}

/**
 * Runs the loop on the GPU; returns a table of the events of these threads, and a summary of many threads in contention.
 * @param contendingThreads number of threads in contention; the events grow with its square
 */
export async function swapsOnGpu(gpu: Gpu, values: number[], contendingThreads = 256): Promise<HTMLElement> {
  const few = await traceSwaps(gpu, Float32Array.from(values));
  const many = await traceSwaps(gpu, new Float32Array(contendingThreads).fill(0.1));
  const bits = (word: number | undefined) => (word === undefined ? "" : `${hex(word)} = ${floatText(floatOf(word))}`);
  const rows = few.actions.map(({ thread, seen, exchanged, found }, i) => {
    const sum = () => bits(bitsOf(floatOf(seen) + values[thread]));
    const action = found === undefined ? `loads ${bits(seen)}` : exchanged ? `swaps in ${sum()}` : "fails and retries";
    const texts = [i + 1, thread, action, found === undefined ? "" : bits(seen), bits(found)];
    const cells = texts.map((text) => html`<td>${text}</td>`);
    return linkThings(html`<tr class=${exchanged === false && "failed"}>${cells}</tr>`, `thread:${thread}`);
  });
  const heads = ["event", "thread", "does", "had seen", "found"];
  const table = scrollBox("Events of the GPU’s threads", tableOf(heads, rows));
  table.classList.add("swap-table");
  const summary = `On ${gpu.description}, with a probe after the load and another after the swap: the ${values.length} threads, each in its own workgroup, needed ${counted(few.swaps, "swap")}, ${few.retries} of which failed, and ended at ${floatText(few.sum)}. ${count(contendingThreads)} threads that each add 0.1 to one word needed ${count(many.swaps)} swaps; ${count(many.retries)} failed. They ended at ${floatText(many.sum)}, where ${exactText(contendingThreads * Math.fround(0.1))} would be exact.`;
  return html`<div><p class="kernel-fact">${summary}</p>${table}</div>`;
}

/** Formats a sum with nine digits, more than float32 has. */
export function exactText(sum: number): string {
  return withMinus(String(Number(sum.toPrecision(9))));
}
