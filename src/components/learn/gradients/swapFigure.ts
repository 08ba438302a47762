import { uniformGenerator } from "../../../engine/blobs.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { element, setText, svg } from "../../element.js";
import { count, counted } from "../../format.js";
import { whenSeen } from "../../seen.js";
import { codePair } from "../codePair.js";
import { button, choice, scrollBox, typedField, wrongPlace } from "../controls.js";
import { facts } from "../facts.js";
import { bringInSight } from "../inSight.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { withMinus } from "../numberText.js";
import { stepper } from "../stepper.js";
import { bitsOf, floatOf, floatText, hex } from "./floatBits.js";
import { numberList } from "./numberList.js";
import { exactSum } from "./reductionModel.js";
import { type TracedSwap, traceSwaps } from "./sumKernels.js";
import {
  atRandom,
  beginSwaps,
  inTurns,
  oneByOne,
  retriesOf,
  runSwaps,
  type SwapOrder,
  type SwapState,
  stepThread,
} from "./swapModel.js";

const [fewest, most] = [2, 8];
const orders = [
  ["random", "by lot"],
  ["turns", "all in turn"],
  ["one", "one after the other"],
] as const;
type OrderName = (typeof orders)[number][0];

/** What the figure begins with. */
export interface SwapOptions {
  values?: number[];
  /** Threads of the contended run on the GPU; what there is to tell of them grows with their square. */
  crowd?: number;
}

/**
 * Threads that race to add their value to one word by compare-and-swap: the reader steps through an interleaving or says
 * who goes next, and below sees the order in which the GPU's own threads did it.
 */
export function swapFigure(
  engine: BrowserEngine,
  { values: firstValues = [0.1, 0.2, 0.3, 0.4], crowd = 256 }: SwapOptions = {},
): HTMLElement {
  let values = firstValues.map(Math.fround);
  const random = uniformGenerator(5);
  const orderBy = (): SwapOrder => {
    if (order.value === "turns") return inTurns();
    return order.value === "one" ? oneByOne() : atRandom(random);
  };
  const order = choice<OrderName>("Who goes next", orders, "random", () => begin());
  const wrong = wrongPlace();
  const take = (text: string) => {
    values = numberList(text, fewest, most).map(Math.fround);
    begin();
    void runHere();
  };
  const typed = typedField(`Values, one a thread (${fewest} to ${most})`, take, { wrong });
  typed.set(firstValues.join(", "));
  let states: SwapState[] = runSwaps(beginSwaps(values), orderBy());

  const word = element("div", { class: "swap-word" });
  const cards = element("div", { class: "swap-threads" });
  const lanes = svg("svg", { role: "img", class: "swap-lanes" });
  const lanesBox = scrollBox("The order of the steps", lanes);
  const numbers = facts("the word", "its bits", "expected at the end", "swaps that failed");
  const steps = stepper("Steps of the threads", { count: 1, show: () => {}, describe: () => "" }, 2);
  const code = codePair(engine.shaders, {
    wgsl: { file: "shared/accumulate.wgsl", from: "fn atomicAccumulate" },
    marks: {
      "code:swap.zero": { wgsl: "if (value == 0.0)" },
      "code:swap.load": { wgsl: "var seen = atomicLoad(" },
      "code:swap.swap": { wgsl: "let swap = atomicCompareExchangeWeak(" },
      "code:swap.exchanged": { wgsl: "if (swap.exchanged)" },
      "code:swap.retry": { wgsl: "seen = swap.old_value;" },
    },
  });

  /** The reader says who goes next; what comes after is drawn anew. */
  const advance = (thread: number) => {
    const at = steps.index;
    const next = stepThread(states[at], thread);
    states = [...states.slice(0, at + 1), ...runSwaps(next, orderBy())];
    steps.reset({ count: states.length, show, describe }, at + 1);
    drawLanes();
    show(at + 1);
  };
  const doing = { load: "will load", add: "will add", swap: "will swap", done: "is done" } as const;
  const show = (index: number) => {
    const state = states[index];
    word.replaceChildren(
      element("span", { class: "swap-word-name" }, "gradients[slot]"),
      element("strong", {}, floatText(floatOf(state.word))),
      element("code", {}, hex(state.word)),
    );
    while (cards.children.length > state.threads.length) cards.lastChild!.remove();
    for (const [i, { value, next, seen, wanted, retries }] of state.threads.entries()) {
      let card = cards.children[i] as HTMLButtonElement | undefined;
      if (!card) {
        card = element("button", { type: "button", class: "swap-thread", onclick: () => advance(i) });
        cards.append(standsFor(card, `thread:${i}`));
      }
      card.disabled = next === "done";
      card.classList.toggle("now", state.event?.thread === i);
      const isStale = seen !== undefined && next !== "done" && seen !== state.word;
      card.classList.toggle("stale", isStale);
      card.ariaLabel = `Thread ${i} adds ${value}; it ${doing[next]}. Let it go next.`;
      const row = (name: string, bits: number | undefined) =>
        element(
          "span",
          { class: "swap-row" },
          name,
          element("code", {}, bits === undefined ? "–" : hex(bits)),
          element("span", {}, bits === undefined ? "" : floatText(floatOf(bits))),
        );
      card.replaceChildren(
        element("strong", {}, `Thread ${i}`),
        element("span", {}, `adds ${floatText(value)}`),
        row("seen", seen),
        row("wanted", next === "swap" || next === "done" ? wanted : undefined),
        element("em", {}, next === "done" ? "done" : `${doing[next]}${isStale ? ", too late" : ""}`),
        element("span", {}, retries === 0 ? "" : `${retries} ${retries === 1 ? "retry" : "retries"}`),
      );
    }
    numbers.set({
      "the word": floatText(floatOf(state.word)),
      "its bits": hex(state.word),
      "expected at the end": withMinus(String(Number(exactSum(values).toPrecision(9)))),
      "swaps that failed": String(retriesOf(state)),
    });
    for (const mark of lanes.querySelectorAll("[data-step]")) {
      const step = Number(mark.getAttribute("data-step"));
      mark.classList.toggle("now", step === index);
      mark.classList.toggle("later", step > index);
    }
    bringInSight(lanesBox, lanes.querySelector(".now"));
    const { event } = state;
    if (!event) return code.activate("code:swap.zero");
    if (event.action === "load") code.activate("code:swap.load");
    else if (event.action === "add") code.activate("code:swap.swap");
    else code.activate("code:swap.swap", event.exchanged ? "code:swap.exchanged" : "code:swap.retry");
  };
  const describe = (index: number) => {
    const { event, threads, word } = states[index];
    if (!event) {
      const idle = threads.filter(({ value }) => value === 0).length;
      return `The word holds 0. ${idle > 0 ? `${counted(idle, "thread")} with a value of 0 went home at once.` : "Choose a thread to go next, or step on."}`;
    }
    const { seen, wanted, retries } = threads[event.thread];
    const who = `Step ${index} of ${states.length - 1}: thread ${event.thread}`;
    if (event.action === "load")
      return `${who} loads the word and sees ${hex(seen!)}, which is ${floatText(floatOf(seen!))}.`;
    if (event.action === "add")
      return `${who} adds its value to what it saw, and wants ${hex(wanted!)}, which is ${floatText(floatOf(wanted!))}.`;
    if (event.exchanged)
      return `${who} compares: the word is still what it saw. It swaps, and the word is ${floatText(floatOf(word))}.`;
    return `${who} compares: somebody has changed the word meanwhile. Nothing is written; it takes the new ${hex(word)} and tries again, for the ${ordinal(retries)} time.`;
  };
  const signs = { load: "L", add: "+", swap: "S" } as const;
  const drawLanes = () => {
    const unit = Math.max(20, Math.min(30, 900 / states.length));
    const [left, height] = [70, 26];
    lanes.setAttribute("viewBox", `0 0 ${left + unit * (states.length - 1) + 4} ${height * values.length + 4}`);
    lanes.style.minWidth = lanes.style.maxWidth = `${left + unit * (states.length - 1) + 4}px`;
    const rows = values.map((_, thread) => {
      const y = height * thread + height / 2;
      return svg(
        "g",
        {},
        standsFor(svg("text", { x: 0, y: y + 4 }, `thread ${thread}`), `thread:${thread}`),
        svg("line", { x1: left, x2: left + unit * (states.length - 1), y1: y, y2: y, class: "lane" }),
      );
    });
    const marks = states.slice(1).map(({ event }, i) => {
      const { thread, action, exchanged } = event!;
      const failed = exchanged === false;
      const x = left + unit * i;
      const y = height * thread + 2;
      return svg(
        "g",
        { "data-step": i + 1, class: `lane-mark ${failed ? "failed" : exchanged ? "exchanged" : ""}` },
        standsFor(
          svg("rect", { x: x + 1, y, width: unit - 2, height: height - 4, rx: 3 }),
          `thread:${thread}`,
          failed
            ? "code:swap.retry"
            : exchanged
              ? "code:swap.exchanged"
              : action === "load"
                ? "code:swap.load"
                : "code:swap.swap",
        ),
        svg("text", { x: x + unit / 2, y: y + 15 }, failed ? "✗" : exchanged ? "✓" : signs[action]),
      );
    });
    lanes.replaceChildren(...rows, ...marks);
    const retries = retriesOf(states.at(-1)!);
    lanes.ariaLabel = `The order of the steps: ${states.length - 1} of ${values.length} threads, with ${retries} swaps that failed.`;
  };
  const begin = () => {
    states = runSwaps(beginSwaps(values), orderBy());
    drawLanes();
    steps.reset({ count: states.length, show, describe });
  };

  const kernelRows = element("tbody");
  const kernelWords = element("p", { class: "kernel-fact", "aria-live": "polite" }, "–");
  const runAgain = element("button", { type: "button", onclick: () => void runHere() }, "Run on the GPU again");
  let runs = 0;
  let seen = false;
  const runHere = async () => {
    if (!seen) return;
    runs++;
    const mine = runs;
    const gpu = await pageGpu(engine);
    runAgain.hidden = table.hidden = !gpu;
    if (!gpu) {
      return setText(kernelWords, "There is no GPU on this page, so nobody races; what is above is the model.");
    }
    try {
      const few = await traceSwaps(gpu, Float32Array.from(values));
      const many = await traceSwaps(
        gpu,
        Float32Array.from({ length: crowd }, () => 0.1),
      );
      if (mine !== runs) return;
      kernelRows.replaceChildren(...few.actions.map((action, i) => actionRow(action, i, values)));
      setText(
        kernelWords,
        `On ${gpu.description}, with a probe behind the load and another behind the swap: the ${values.length} threads, each of a workgroup of its own, needed ${counted(few.swaps, "swap")}, ${few.retries} of which failed, and ended at ${floatText(few.sum)}. ${count(crowd)} threads that each add 0.1 to one word needed ${count(many.swaps)} swaps; ${count(many.retries)} failed. They ended at ${floatText(many.sum)}, where ${String(Number((crowd * Math.fround(0.1)).toPrecision(9)))} would be exact.`,
      );
    } catch (error) {
      setText(kernelWords, `The kernel did not run: ${(error as Error).message}`);
    }
  };

  const heads = ["told as", "thread", "does", "had seen", "found"].map((name) => element("th", {}, name));
  const head = element("thead", {}, element("tr", {}, ...heads));
  const table = scrollBox("What the GPU’s threads did", element("table", {}, head, kernelRows));
  table.classList.add("swap-table");

  begin();
  const node = learnFigure(
    {
      title: "Compare, and swap only if nobody came between",
      alt: "A word of memory, cards of threads with what each has seen and wants to write, and a chart of which thread did what in which step.",
      note: "Step on, or press a thread’s card to let it go next. In the chart L is a load, + an addition, ✓ a swap that took place and ✗ one that came too late. The probes themselves take time, so without them the GPU’s threads come in another order still.",
      isWide: true,
    },
    element("div", { class: "learn-controls" }, typed.node, order.node, button("Begin again", begin)),
    wrong,
    word,
    cards,
    steps.node,
    lanesBox,
    numbers.node,
    code.node,
    element("h4", {}, "How your GPU did it"),
    kernelWords,
    table,
    runAgain,
  );
  whenSeen(node, () => {
    seen = true;
    void runHere();
  });
  return node;
}

function actionRow({ thread, action, seen, exchanged, found }: TracedSwap, i: number, values: number[]): HTMLElement {
  const bits = (word: number) => `${hex(word)} = ${floatText(floatOf(word))}`;
  const outcome =
    action === "loads"
      ? `loads ${bits(seen)}`
      : exchanged
        ? `swaps in ${bits(bitsOf(floatOf(seen) + values[thread]))}`
        : "fails, and tries again";
  const cells = [
    String(i + 1),
    String(thread),
    outcome,
    action === "loads" ? "" : bits(seen),
    found === undefined ? "" : bits(found),
  ];
  const row = element(
    "tr",
    { class: exchanged === false ? "failed" : "" },
    ...cells.map((text) => element("td", {}, text)),
  );
  return standsFor(row, `thread:${thread}`);
}

function ordinal(n: number): string {
  return n === 1 ? "first" : n === 2 ? "second" : n === 3 ? "third" : `${n}th`;
}
