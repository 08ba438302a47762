import type { Comparator } from "../../../engine/cpu/shortList.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { element, setText } from "../../element.js";
import { count, counted } from "../../format.js";
import type { Lab } from "../../lab/lab.js";
import { whenSeen } from "../../seen.js";
import { codePair } from "../codePair.js";
import { button, choice, radioRow, typedField } from "../controls.js";
import { facts } from "../facts.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { type Steps, stepper } from "../stepper.js";
import { gatherTile, tileToSort } from "./arrival.js";
import { KernelPanel } from "./kernelPanel.js";
import { mostNumbers, numberText, randomNumbers, readNumbers } from "./numbers.js";
import { passTable } from "./passTable.js";
import { mostDrawn, sortBars, sortStrip } from "./sortBars.js";
import { sortOnGpu } from "./sortKernel.js";
import {
  arrangementAt,
  type Moment,
  momentOf,
  networkCost,
  recordSort,
  type StepBy,
  serialComparisons,
  stepCount,
  stepOfPass,
  swapsUntil,
} from "./sortModel.js";

/** What the figure begins with. */
export interface SortOptions {
  /** The numbers to sort; sixteen random ones if absent. */
  numbers?: readonly number[];
  /** Width and height of the workgroup. */
  workgroup?: readonly [number, number];
  by?: StepBy;
  /** A run whose short-lists can be sorted too. */
  lab?: Lab;
}

const workgroups = [
  [1, 1],
  [4, 4],
  [8, 4],
  [8, 8],
  [16, 16],
] as const;

const codeMarks = {
  "code:sort.pass": { wgsl: "for (var j = k / 2u", twin: "for (const { k, j } of network)" },
  "code:sort.partner": { wgsl: "let l = i ^ j;", twin: "const l = i ^ j;" },
  "code:sort.direction": { wgsl: "let ascending =", twin: "const ascending =" },
  "code:sort.compare": { wgsl: "if ((low > high) == ascending", twin: "const swapped = ascending" },
  "code:sort.swap": { wgsl: "sh_blobs[i] = high;", twin: "if (swapped) [" },
  "code:sort.swapBack": { wgsl: "sh_blobs[l] = low;" },
  "code:sort.barrier": { wgsl: "      workgroupBarrier();" },
};

/** A bitonic sort of any list, pass by pass or comparator by comparator, beside the same sort on the reader's GPU. */
export function sortFigure(engine: BrowserEngine, options: SortOptions = {}): HTMLElement {
  let numbers: Uint32Array = Uint32Array.from(options.numbers ?? randomNumbers(16, 1));
  let workgroup = options.workgroup ?? workgroups[2];
  let by = options.by ?? "pass";
  let seed = 1;
  let record = recordSort(numbers);
  let drawing = sortBars(record, threadCount());
  let table = passTable(record, goToPass);
  let moment: Moment | undefined;

  const field = typedField("Numbers to sort", (text) => sort(readNumbers(text)));
  const howMany = element("input", {
    type: "text",
    inputmode: "numeric",
    class: "sort-count",
    autocomplete: "off",
    onchange: () => {
      const n = Number(howMany.value.replaceAll(",", ""));
      const isRight = Number.isInteger(n) && n >= 2 && n <= mostNumbers;
      howMany.setAttribute("aria-invalid", String(!isRight));
      if (isRight) shuffle(n);
      else say(`The figure sorts 2 to ${count(mostNumbers)} numbers, and “${howMany.value}” is no such count.`, true);
    },
  });
  const origin = element("p", { class: "sort-origin", "aria-live": "polite" });
  const stage = element("div", { class: "sort-stage" });
  const tablePlace = element("div", {});
  const panel = new KernelPanel(engine.kind !== "cpu");
  const numbersBeside = facts(
    "pass",
    "block size k",
    "distance j",
    "swaps so far",
    "comparators in all",
    "your browser’s sort",
    "n log₂ n",
  );
  numbersBeside.node.classList.add("sort-facts");
  standsFor(numbersBeside.row("block size k"), "code:sort.direction");
  standsFor(numbersBeside.row("distance j"), "code:sort.partner");
  standsFor(numbersBeside.row("swaps so far"), "code:sort.swap", "code:sort.swapBack");
  const code = codePair(engine.shaders, {
    wgsl: { file: "tiled/bitonicSort.wgsl", from: "fn bitonicSort" },
    twin: { file: "cpu/shortList.ts", from: "export function bitonicSort" },
    marks: codeMarks,
  });
  const steps = stepper("Step of the sort", stepsOf(), 3);

  function say(words: string, isWrong = false): void {
    origin.classList.toggle("wrong", isWrong);
    setText(origin, words);
  }

  function threadCount(): number {
    return workgroup[0] * workgroup[1];
  }

  function stepsOf(): Steps {
    return { count: stepCount(record, by), show, describe };
  }

  function goToPass(pass: number): void {
    steps.goTo(stepOfPass(record, by, pass));
  }

  /** The comparators that the reader sees at work. */
  function atWork({ pass, done, atBarrier }: Moment): readonly Comparator[] {
    if (by === "pass") return record.comparators[pass].slice(0, done);
    return atBarrier || done === 0 ? [] : [record.comparators[pass][done - 1]];
  }

  function show(step: number): void {
    const now = momentOf(record, by, step);
    moment = now;
    const pass = step === 0 ? undefined : now.pass;
    const pairs = atWork(now);
    drawing.show(now, pairs);
    table.show(pass);
    panel.showPass(pass);
    const { k, j } = record.passes[now.pass];
    numbersBeside.set({
      pass: `${step === 0 ? "–" : now.pass + 1} of ${record.passes.length}`,
      "block size k": step === 0 ? "–" : String(k),
      "distance j": step === 0 ? "–" : String(j),
      "swaps so far": count(swapsUntil(record, now)),
    });
    standsFor(numbersBeside.row("pass"), `pass:${now.pass}`);
    if (step === 0) code.activate();
    else if (by === "pass") code.activate("code:sort.pass", "code:sort.barrier");
    else if (now.atBarrier) code.activate("code:sort.barrier");
    else if (pairs[0].swapped) code.activate("code:sort.compare", "code:sort.swap", "code:sort.swapBack");
    else code.activate("code:sort.compare");
  }

  function describe(step: number): string {
    const { given, n, passes } = record;
    const sentinels = n - given;
    if (step === 0) {
      const pad = sentinels > 0 ? `, and behind them ${counted(sentinels, "sentinel")} up to ${n} places` : "";
      return `The list as it came: ${counted(given, "number")}${pad}.`;
    }
    const now = momentOf(record, by, step);
    const { k, j } = passes[now.pass];
    const where = `Pass ${now.pass + 1} of ${passes.length} (k = ${k}, j = ${j})`;
    const end = step === stepCount(record, by) - 1 ? " The list is sorted." : "";
    if (by === "pass") {
      const swaps = record.comparators[now.pass].filter(({ swapped }) => swapped).length;
      return `${where}: ${counted(n / 2, "pair")} compared, ${swaps} swapped.${end}`;
    }
    if (now.atBarrier) return `${where}: the barrier. No thread goes on before all have come here.${end}`;
    const { i, l, ascending, swapped } = record.comparators[now.pass][now.done - 1];
    const { numbers: before } = arrangementAt(record, { ...now, done: now.done - 1 });
    const [low, high] = [numberText(before[i]), numberText(before[l])];
    return `${where}, comparator ${now.done} of ${n / 2}: places ${i} and ${l} hold ${low} and ${high}, ${ascending ? "ascending" : "descending"} is wanted: ${swapped ? "swapped" : "left as they are"}.`;
  }

  /** Sorts another list; what is wrong with it is thrown before anything changes. */
  function sort(given: Uint32Array, words = ""): void {
    numbers = given;
    record = recordSort(numbers);
    field.set(numbers.join(", "));
    howMany.value = String(numbers.length);
    howMany.removeAttribute("aria-invalid");
    say(words);
    build(0);
  }

  /** Draws everything anew, and lets the GPU sort. */
  function build(step: number): void {
    drawing = record.n <= mostDrawn ? sortBars(record, threadCount()) : sortStrip(record);
    table = passTable(record, goToPass);
    stage.replaceChildren(drawing.node);
    tablePlace.replaceChildren(table.node);
    const { passes, aPass, comparators } = networkCost(record.n);
    numbersBeside.set({
      "comparators in all": `${passes} × ${count(aPass)} = ${count(comparators)}`,
      "your browser’s sort": count(serialComparisons(numbers)),
      "n log₂ n": count(Math.round(numbers.length * Math.log2(numbers.length))),
    });
    steps.reset(stepsOf(), step);
    if (isSeen) void sortThere();
  }

  let isSeen = false;
  let asked = 0;
  async function sortThere(): Promise<void> {
    const ticket = ++asked;
    const [given, threads] = [record, threadCount()];
    panel.say("Your GPU sorts …");
    try {
      const gpu = await pageGpu(engine);
      if (ticket !== asked) return;
      if (!gpu) return panel.say("This page has no GPU, so you see the CPU twin of the kernel alone.");
      const told = await sortOnGpu(gpu, given, workgroup);
      if (ticket !== asked) return;
      table.compare(panel.show(given, told, threads, gpu.description));
      panel.showPass(steps.index === 0 ? undefined : moment?.pass);
    } catch (error) {
      if (ticket === asked) panel.say(`The kernel did not run: ${(error as Error).message}`);
    }
  }

  function shuffle(n: number): void {
    sort(randomNumbers(n, ++seed));
  }

  async function sortTile(lab: Lab): Promise<void> {
    const { run } = lab;
    const look = run?.look;
    if (!run || !look) return say("The run has not gathered its lists yet; try again in a moment.");
    const tile = tileToSort(look, mostDrawn) ?? tileToSort(look, mostNumbers);
    if (tile === undefined) return say("No tile of the run has a list of 2 to 1,024 blobs.");
    const gpu = await pageGpu(engine);
    const { blobs, column, row, descents } = await gatherTile(gpu, run, look, tile);
    const where = `The short-list of tile ${column}, ${row} at step ${count(look.state.step)}`;
    sort(
      blobs,
      gpu
        ? `${where}, as your GPU’s threads found it: ${counted(descents, "blob")} came right behind one with a greater index.`
        : `${where}. One thread of the CPU found it, in ascending order; the threads of a GPU may overtake each other.`,
    );
  }

  const controls = element(
    "div",
    { class: "learn-controls" },
    element("label", {}, "How many", howMany),
    button("Random", () => shuffle(numbers.length)),
    button("Reversed", () => sort(numbers.slice().sort().reverse())),
    button("Already sorted", () => sort(numbers.slice().sort())),
    options.lab && button("A tile’s short-list", () => void sortTile(options.lab!)),
    choice(
      "Workgroup",
      workgroups.map((size) => [size, `${size[0]} × ${size[1]}: ${counted(size[0] * size[1], "thread")}`] as const),
      workgroups.find(([width, height]) => width === workgroup[0] && height === workgroup[1]) ?? workgroups[2],
      (size) => {
        workgroup = size;
        build(steps.index);
      },
    ).node,
    radioRow<StepBy>("step by", ["pass", "comparator"], by, (chosen) => {
      const pass = steps.index === 0 ? undefined : moment?.pass;
      by = chosen;
      steps.reset(stepsOf(), pass === undefined ? 0 : stepOfPass(record, by, pass));
    }),
  );
  const node = learnFigure(
    {
      title: "Bitonic sort, step by step",
      alt: "The list as bars, with an arc over each pair of places that is compared in the step shown; below them the thread that has each place first and the direction of each block. A table has the number of swaps in every pass.",
      note: "Every arc is a pair that is compared; those with a bold arc and full bars are swapped. The arrow head is where the greater number goes. Dashed bars (∞) are sentinels. A thread’s number is bold where it does the comparing: it has the pair’s first place. Click a number in the table to go to its pass. “Your browser’s sort” is how many comparisons its own serial sort made of these numbers.",
      isWide: true,
    },
    field.node,
    controls,
    origin,
    steps.node,
    stage,
    numbersBeside.node,
    element("div", { class: "sort-columns" }, tablePlace, panel.node),
    code.node,
  );
  sort(numbers);
  steps.goTo(1);
  whenSeen(node, () => {
    isSeen = true;
    void sortThere();
  });
  return node;
}
