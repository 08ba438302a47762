import { uniformGenerator } from "../../../engine/blobs.js";
import type { Gpu } from "../../../engine/gpu/device.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { element, setText, svg } from "../../element.js";
import { count, counted, percent } from "../../format.js";
import { whenSeen } from "../../seen.js";
import { codePair } from "../codePair.js";
import { choice, scrollBox, wrongPlace } from "../controls.js";
import { bringInSight } from "../inSight.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { stepper } from "../stepper.js";
import {
  type Arrival,
  barrierHeld,
  modelledExchange,
  modelledStaleReads,
  neighbourOf,
  type StaleReads,
  staleReads,
  tracedExchange,
} from "./exchange.js";

const sizes = ["8", "16", "32", "64", "128"];
/** Runs without the barrier, and workgroups of each. */
const runs = 20;

/** What the figure begins with. */
export interface BarrierOptions {
  threads?: number;
  /** Of each run without the barrier; as many as the engine does in a moment if absent. */
  workgroups?: number;
}

/**
 * Threads write a value, wait at a barrier, and read their neighbour's: the real order of the reader's GPU, step by step,
 * and beside it the same exchange without the barrier, many times, with a count of the reads that came too early.
 */
export function barrierFigure(
  engine: BrowserEngine,
  { threads: first = 32, workgroups = engine.kind === "gpu" ? 2048 : 24 }: BarrierOptions = {},
): HTMLElement {
  let threads = first;
  let arrivals = modelledExchange(threads, uniformGenerator(1));
  let took = 0;
  const random = uniformGenerator(2);
  const size = choice("Threads of the workgroup", sizes, String(first), (value) => {
    threads = Number(value);
    void run();
    void race();
  });
  const again = element("button", { type: "button", onclick: () => void run() }, "Run again");
  const whose = element("p", { class: "figure-note barrier-whose", "aria-live": "polite" });
  const drawing = svg("svg", { role: "img", class: "barrier-drawing" });
  const drawingBox = scrollBox("Threads, memory and barrier", drawing);
  const steps = stepper("Arrivals of the threads", { count: 1, show: () => {}, describe: () => "" }, 8);
  const code = codePair(engine.shaders, {
    wgsl: { file: "learn/exchangeValues.wgsl", from: "fn main" },
    marks: {
      "code:exchange.write": { wgsl: "sh_values[localIndex] = localIndex + 1u;" },
      "code:exchange.barrier": { wgsl: "workgroupBarrier();" },
      "code:exchange.read": { wgsl: "let value = sh_values[neighbour];" },
    },
  });

  const unit = 29;
  /** Left of the threads, for words. */
  const gutter = 76;
  const [writeRow, barrierRow, readRow] = [30, 84, 98];
  /** The drawing's parts by thread. */
  let cells: { box: SVGElement; value: SVGElement; writer: SVGElement; arc: SVGElement; reader: SVGElement }[] = [];
  const draw = () => {
    const columns = Math.min(threads, 32);
    const rows = threads / columns;
    const rowHeight = 158;
    drawing.setAttribute("viewBox", `0 0 ${gutter + columns * unit + 2} ${rowHeight * rows}`);
    drawing.style.minWidth = `${gutter + columns * unit + 2}px`;
    drawing.style.maxWidth = `${gutter + columns * unit * 1.6}px`;
    cells = Array.from({ length: threads }, (_, thread) => {
      const x = gutter + (thread % columns) * unit + 1;
      const top = rowHeight * Math.floor(thread / columns);
      const middle = x + unit / 2;
      const neighbour = neighbourOf(thread, threads);
      const neighbourX = neighbour === thread + 1 && neighbour % columns !== 0 ? middle + unit : middle + unit * 0.45;
      return {
        writer: svg("circle", { cx: middle, cy: top + 14, r: 12, class: "runner" }),
        box: svg("rect", { x: x + 1, y: top + writeRow, width: unit - 2, height: 26, class: "word" }),
        value: svg("text", { x: middle, y: top + writeRow + 17, class: "word-value" }),
        arc: svg("path", {
          d: `M${neighbourX},${top + writeRow + 28} L${middle},${top + readRow + 10}`,
          class: "read-arc",
        }),
        reader: svg("circle", { cx: middle, cy: top + readRow + 22, r: 12, class: "runner" }),
      };
    });
    const gates = Array.from({ length: rows }, (_, row) => {
      const top = row * rowHeight;
      const y = top + barrierRow;
      const words = [
        [top + 18, "writes", "write"],
        [top + writeRow + 17, "memory", "write"],
        [y + 4, "barrier", "barrier"],
        [top + readRow + 26, "reads", "read"],
      ] as const;
      return svg(
        "g",
        {},
        svg("line", { class: "gate", x1: gutter, x2: gutter + columns * unit, y1: y, y2: y }),
        ...words.map(([at, text, line]) =>
          standsFor(svg("text", { x: 0, y: at, class: "row-name" }, text), `code:exchange.${line}`),
        ),
      );
    });
    const lanes = gpu?.subgroupSize ?? threads;
    const subgroups = Array.from({ length: Math.ceil(threads / lanes) }, (_, group) => {
      const x = gutter + ((group * lanes) % columns) * unit;
      const y = rowHeight * Math.floor((group * lanes) / columns);
      const width = unit * Math.min(lanes, columns);
      return svg("rect", { x, y, width, height: 138, class: group % 2 === 0 ? "subgroup" : "subgroup odd" });
    });
    drawing.replaceChildren(
      ...subgroups,
      ...cells.flatMap(({ arc }) => arc),
      ...gates,
      ...cells.map(({ writer, box, value, reader }, thread) => {
        const label = (cy: string) =>
          svg(
            "text",
            { x: Number(writer.getAttribute("cx")), y: Number(cy) + 4, class: "runner-index" },
            String(thread),
          );
        return svg(
          "g",
          {},
          standsFor(writer, `thread:${thread}`),
          label(writer.getAttribute("cy")!),
          standsFor(box, `thread:${thread}`),
          value,
          standsFor(reader, `thread:${thread}`),
          label(reader.getAttribute("cy")!),
        );
      }),
    );
  };
  const show = (index: number) => {
    const done = arrivals.slice(0, index);
    const now = arrivals[index - 1];
    const written = new Set(done.filter(({ does }) => does === "writes").map(({ thread }) => thread));
    const read = new Map(done.filter(({ does }) => does === "reads").map(({ thread, value }) => [thread, value]));
    const isOpen = written.size === threads;
    for (const [thread, { writer, box, value, arc, reader }] of cells.entries()) {
      const isNow = now?.thread === thread;
      const waits = written.has(thread) && !read.has(thread);
      writer.classList.toggle("waits", waits && !isOpen);
      writer.classList.toggle("gone", read.has(thread));
      writer.classList.toggle("now", isNow && now.does === "writes");
      box.classList.toggle("filled", written.has(thread));
      setText(value, written.has(thread) ? String(thread + 1) : "");
      arc.classList.toggle("shown", read.has(thread));
      arc.classList.toggle("now", isNow && now.does === "reads");
      reader.classList.toggle("here", read.has(thread));
      reader.classList.toggle("now", isNow && now.does === "reads");
    }
    drawing.classList.toggle("is-open", isOpen);
    bringInSight(drawingBox, drawing.querySelector(".runner.now"));
    drawing.ariaLabel = `${written.size} of ${threads} threads have written; ${read.size} have read.`;
    if (!now) code.activate();
    else if (now.does === "reads") code.activate("code:exchange.read");
    else code.activate("code:exchange.write", "code:exchange.barrier");
  };
  const describe = (index: number) => {
    const written = arrivals.slice(0, index).filter(({ does }) => does === "writes").length;
    if (index === 0) return `Nobody has arrived yet. Workgroup memory holds ${threads} words.`;
    const { thread, does, value } = arrivals[index - 1];
    if (does === "reads") {
      const neighbour = neighbourOf(thread, threads);
      return `Arrival ${index} of ${2 * threads}: thread ${thread} is through the barrier and reads ${value} from thread ${neighbour}.`;
    }
    const rest = threads - written;
    const waiting = rest > 0 ? `It waits for ${rest} more.` : "It was the last one: the barrier opens.";
    return `Arrival ${index} of ${2 * threads}: thread ${thread} has written ${thread + 1} and stands at the barrier. ${waiting}`;
  };
  const take = (next: Arrival[], words: string) => {
    arrivals = next;
    draw();
    steps.reset({ count: arrivals.length + 1, show, describe }, Math.floor(threads / 2));
    setText(whose, words);
  };
  const wrong = wrongPlace();

  let gpu: Gpu | undefined;
  const run = async () => {
    took++;
    const mine = took;
    gpu = await pageGpu(engine);
    if (mine !== took) return;
    if (!gpu) {
      return take(
        modelledExchange(threads, random),
        "There is no GPU on this page: this order is drawn by lot, within what a barrier allows.",
      );
    }
    try {
      const traced = await tracedExchange(gpu, threads);
      if (mine !== took) return;
      const held = barrierHeld(traced)
        ? "Every thread wrote before any thread read."
        : "Some thread told of its read before another told of its write: the tellings go through other memory, whose order the barrier does not rule.";
      setText(wrong, "");
      take(
        traced,
        `The order in which the threads of ${gpu.description} came by, told by probes in the kernel. ${held}${lanesWords(gpu)}`,
      );
    } catch (error) {
      setText(wrong, `The kernel did not run: ${(error as Error).message}`);
    }
  };

  const bars = element("div", { class: "stale-bars", role: "img" });
  const tallest = element("p", { class: "figure-note" }, "Stale reads, thread by thread.");
  const [firstIndex, lastIndex] = [element("span", {}, "0"), element("span", {}, "")];
  const staleWords = element("p", { class: "stale-words", "aria-live": "polite" });
  const raceButton = element("button", { type: "button", onclick: () => void race() }, "Run without the barrier again");
  let racing = 0;
  const race = async () => {
    racing++;
    const mine = racing;
    gpu = await pageGpu(engine);
    const total: Record<"with" | "without", StaleReads> = { with: noReads(threads), without: noReads(threads) };
    try {
      for (let r = 0; r < runs; r++) {
        const without = gpu
          ? await staleReads(gpu, threads, workgroups, false)
          : modelledStaleReads(threads, workgroups, random);
        add(total.without, without);
        if (gpu && r === 0) add(total.with, await staleReads(gpu, threads, workgroups, true));
        if (mine !== racing || !node.isConnected) return;
        if (!gpu && r % 4 === 0) await new Promise((done) => setTimeout(done));
      }
      showStale(total.without, total.with);
    } catch (error) {
      setText(wrong, `The kernel did not run: ${(error as Error).message}`);
    }
  };
  const showStale = (without: StaleReads, waited: StaleReads) => {
    const most = Math.max(1, ...without.byThread);
    const perThread = without.reads / threads;
    bars.replaceChildren(
      ...Array.from(without.byThread, (stale, thread) =>
        standsFor(
          element("div", {
            class: "stale-bar",
            title: `Thread ${thread}: ${count(stale)} of ${count(perThread)} reads were stale`,
            style: `--share: ${stale / most}`,
          }),
          `thread:${thread}`,
        ),
      ),
    );
    setText(lastIndex, String(threads - 1));
    setText(
      tallest,
      without.stale === 0
        ? "Stale reads, thread by thread: none."
        : `Stale reads, thread by thread; the tallest bar is ${count(most)} of ${counted(perThread, "read")}.`,
    );
    const where = [...without.byThread.keys()].filter((thread) => without.byThread[thread] > 0);
    const words = gpu
      ? `On ${gpu.description}, ${count(runs)} runs of ${count(workgroups)} workgroups without the barrier: ${count(without.stale)} of ${count(without.reads)} reads were stale${without.stale > 0 ? ` (${percent(without.stale / without.reads)})` : ""}. With the barrier: ${count(waited.stale)} of ${count(waited.reads)}.`
      : `In the model, where each thread runs at a time of its own and nobody waits, ${count(without.stale)} of ${count(without.reads)} reads were stale (${percent(without.stale / without.reads)}).`;
    const at =
      without.stale === 0
        ? " None here, this time. WGSL promises nothing: another GPU, driver or day may give another number."
        : where.length < threads / 2
          ? ` Only threads ${listed(where)} were ever too early.`
          : "";
    bars.ariaLabel = `Stale reads by local index, ${count(without.stale)} in all.`;
    setText(staleWords, words + at);
  };

  take(arrivals, "An order that a barrier allows.");
  const node = learnFigure(
    {
      title: "Write, wait, read",
      alt: "A row of threads that each fill a word of workgroup memory, a barrier, and below it the same threads reading the word of their neighbour; beside it counts of stale reads when the barrier is left out.",
      note: "Step through the arrivals. A thread that has written stands at the barrier, filled, until the last one has come; only then does any thread read from its neighbour on the right. The numbers in the boxes are what workgroup memory holds.",
      isWide: true,
    },
    element("div", { class: "learn-controls" }, size.node, again),
    whose,
    steps.node,
    drawingBox,
    wrong,
    code.node,
    element("h4", {}, "The same without the barrier"),
    tallest,
    bars,
    element(
      "div",
      { class: "stale-axis", "aria-hidden": "true" },
      firstIndex,
      "local index of the reading thread",
      lastIndex,
    ),
    staleWords,
    raceButton,
  );
  whenSeen(node, () => {
    void run();
    void race();
  });
  return node;
}

function lanesWords({ subgroupSize }: Gpu): string {
  return subgroupSize === undefined ? "" : ` Its subgroups have ${subgroupSize} lanes, told apart by shading.`;
}

function noReads(threads: number): StaleReads {
  return { reads: 0, stale: 0, byThread: new Uint32Array(threads) };
}

function add(total: StaleReads, { reads, stale, byThread }: StaleReads): void {
  total.reads += reads;
  total.stale += stale;
  for (const [thread, n] of byThread.entries()) total.byThread[thread] += n;
}

/** Numbers in words, the first few of them. */
function listed(numbers: number[]): string {
  const shown = numbers.slice(0, 8).join(", ");
  return numbers.length > 8 ? `${shown} and so on` : shown;
}
