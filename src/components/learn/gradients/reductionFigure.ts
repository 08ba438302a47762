import { parameterCount, rawNames, uniformGenerator } from "../../../engine/blobs.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { element, setText, svg } from "../../element.js";
import { count } from "../../format.js";
import type { Lab } from "../../lab/lab.js";
import { whenSeen } from "../../seen.js";
import { codePair } from "../codePair.js";
import { button, choice, scrollBox, typedField, wrongPlace } from "../controls.js";
import { facts } from "../facts.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { numberText, shortText } from "../numberText.js";
import { stepper } from "../stepper.js";
import { bitsOf, unitInLastPlace } from "./floatBits.js";
import { numberList } from "./numberList.js";
import { centerTile, pixelGradients, steepestBlob, type TiledStep, tileStep } from "./pixelGradients.js";
import { exactSum, type Reduction, reduction } from "./reductionModel.js";
import { reductionTree } from "./reductionTree.js";
import { stepTaker, type TakenStep } from "./stepTaker.js";
import { traceReduction } from "./sumKernels.js";
import { tilePicker } from "./tilePicker.js";

/** The tile of each size of a workgroup. */
const tiles: Record<string, [number, number]> = { 8: [4, 2], 16: [4, 4], 32: [8, 4], 64: [8, 8] };

/** What the figure begins with. */
export interface ReductionOptions {
  /** Threads: 8, 16, 32 or 64. */
  workgroup?: number;
  /** Raw parameter, 0 to 8. */
  field?: number;
  /** Of a pixel's gradient. */
  largest?: number;
}

/**
 * The tree reduction of the gradients that one raw parameter of one blob has at the pixels of one tile, out of a training
 * step of the lab's run, round by round; beside it the kernel's own partial sums.
 */
export function reductionFigure(
  engine: BrowserEngine,
  lab: Lab,
  { workgroup = 16, field: firstField = 5, largest: firstLargest = 10 }: ReductionOptions = {},
): HTMLElement {
  const random = uniformGenerator(7);
  let field = firstField;
  let largest = firstLargest;
  let taken: TakenStep | undefined;
  let step: (TakenStep & TiledStep) | undefined;
  let tile = 0;
  let blob = 0;
  /** The values by blob of the tile. */
  let ofTile = new Map<number, Float32Array>();
  let source: "real" | "typed" | "random" = "real";
  let current: Reduction = reduction(Float32Array.from({ length: workgroup }), largest);

  const threadsOf = () => Number(size.value);
  const names = Array.from(
    { length: parameterCount },
    (_, f) => [String(f), rawNames(lab.run?.config.parameterization ?? "smoothstep")[f]] as const,
  );
  const parameter = choice("Raw parameter", names, String(field), (value) => {
    field = Number(value);
    takeReal();
  });
  const blobs = choice<string>("Blob", ["0"], "0", (value) => {
    blob = Number(value);
    takeReal();
  });
  const size = choice<string>("Workgroup size", Object.keys(tiles), String(workgroup), () => layOut());
  const wrong = wrongPlace();
  const takeLimit = (text: string) => {
    const next = Number(text);
    if (!(next > 0 && next <= 1e30)) throw new RangeError("The clamp’s limit must be a number above 0, up to 1e30.");
    largest = next;
    use(current.given, false);
  };
  const limit = typedField("Clamp to ±", takeLimit, { wrong });
  limit.box.inputMode = "decimal";
  limit.box.classList.add("number-box");
  limit.set(String(firstLargest));
  const takeTyped = (text: string) => {
    const numbers = numberList(text, threadsOf(), threadsOf());
    source = "typed";
    use(Float32Array.from(numbers), false);
  };
  const typed = typedField("Numbers, by local index", takeTyped, { wrong, rows: 3 });
  const randomise = () => {
    source = "random";
    use(Float32Array.from({ length: threadsOf() }, () => Math.round(3000 * random() - 1500) / 100));
  };

  const picker = tilePicker((picked) => {
    tile = picked;
    takeReal();
  });
  const map = svg("svg", { role: "img", class: "tile-gradients" });
  const whose = element("p", { class: "figure-note reduction-whose", "aria-live": "polite" });
  const numbers = facts("round", "stride", "threads adding", "thread 0’s value", "additions so far", "clamped");
  const kernelWords = element("p", { class: "kernel-fact", "aria-live": "polite" }, "–");
  const tree = reductionTree();
  const steps = stepper("Rounds of the reduction", { count: 1, show: () => {}, describe: () => "" }, 1.5);
  const reduceCode = codePair(engine.shaders, {
    wgsl: { file: "shared/accumulate.wgsl", from: "fn treeReduce" },
    twin: { file: "cpu/accumulate.ts", from: "export function treeReduce" },
    marks: {
      "code:reduce.write": { wgsl: "sh_reduction[localIndex] = value;" },
      "code:reduce.round": {
        wgsl: "for (var stride = firstStride(WORKGROUP_SIZE)",
        twin: "for (let stride = firstStride(",
      },
      "code:reduce.add": { wgsl: "sh_reduction[localIndex] += sh_reduction", twin: "values[i] += values[i + stride]" },
      "code:reduce.result": { wgsl: "return sh_reduction[0];", twin: "return values[0];" },
    },
  });
  const clampCode = codePair(engine.shaders, {
    wgsl: { file: "shared/accumulate.wgsl", from: "fn accumulateParameter" },
    twin: { file: "cpu/accumulate.ts", from: "export function clampGradient" },
    marks: {
      "code:reduce.clamp": {
        wgsl: "let sum = treeReduce(clamp(d",
        twin: "return Math.min(Math.max(gradient, -largest)",
      },
      "code:reduce.memory": { wgsl: "atomicAccumulate(sum, field" },
    },
  });

  const show = (index: number) => {
    const { rounds, clamped, given, changed, sum } = current;
    const last = rounds.length + 2;
    tree.show(Math.min(index, last - 1));
    const round = rounds[Math.min(index, last - 1) - 2];
    const memory = index === 0 ? given : index === 1 ? clamped : round.values;
    const isRound = index > 1 && index < last;
    numbers.set({
      round: isRound ? `${index - 1} of ${rounds.length}` : "–",
      stride: isRound ? String(round.stride) : "–",
      "threads adding": isRound ? String(round.threads) : "0",
      "thread 0’s value": shortText(index === last ? sum : memory[0]),
      "additions so far": String(
        rounds.slice(0, Math.max(0, index - 1)).reduce((all, { threads }) => all + threads, 0),
      ),
      clamped: index === 0 ? "–" : `${changed} of ${given.length}`,
    });
    if (index === 0) clampCode.activate();
    else clampCode.activate(...(index === 1 ? ["code:reduce.clamp"] : index === last ? ["code:reduce.memory"] : []));
    if (index === 0) reduceCode.activate();
    else if (index === 1) reduceCode.activate("code:reduce.write");
    else if (index === last) reduceCode.activate("code:reduce.result");
    else reduceCode.activate("code:reduce.round", "code:reduce.add");
  };
  const describe = (index: number) => {
    const { rounds, given, changed, sum, exact, additions } = current;
    const n = given.length;
    if (index === 0) return `Each of the ${n} threads has the gradient of its own pixel.`;
    if (index === 1) {
      const cut =
        changed === 0 ? "none of these is beyond" : `${changed} of these ${changed === 1 ? "was" : "were"} beyond`;
      return `Each is clamped to ±${largest} (${cut}), written into the thread’s word of workgroup memory, and all wait.`;
    }
    const round = rounds[index - 2];
    if (round) {
      const { stride, threads } = round;
      const who =
        threads === 1
          ? `thread 0 adds what thread ${stride} has`
          : `threads 0 to ${threads - 1} each add what the thread ${stride} further on has`;
      return `Round ${index - 1} of ${rounds.length}: ${who}; the others wait.`;
    }
    const error = Math.abs(sum - exact);
    const units = Number((error / unitInLastPlace(exact)).toPrecision(2));
    return `Thread 0 holds ${numberText(sum, 9)} after ${additions} additions in ${rounds.length} rounds, and adds it to the gradient in memory. The exact sum of these numbers is ${numberText(exact, 9)}: ${units} units of its last place away.${changed === 0 ? "" : ` Without the clamp it would be ${numberText(exactSum(given))}.`}`;
  };

  let traces = 0;
  let seen = false;
  const trace = async () => {
    if (!seen) return;
    traces++;
    const mine = traces;
    const { given, rounds, sum } = current;
    const gpu = await pageGpu(engine);
    if (!gpu) return setText(kernelWords, "There is no GPU on this page; these are the sums of the twin on the CPU.");
    try {
      const { additions, sum: kernelSum } = await traceReduction(gpu, given, largest);
      if (mine !== traces) return;
      const byStride = new Map(rounds.map(({ stride, values }) => [stride, values]));
      const other = additions.filter(({ stride, thread, value }) => bitsOf(byStride.get(stride)![thread]) !== value);
      const same = other.length === 0 && Object.is(kernelSum, Math.fround(sum + 0));
      setText(
        kernelWords,
        same
          ? `The kernel itself ran on ${gpu.description} with a probe behind its addition: all ${additions.length} partial sums have the same bits as here.`
          : `The kernel itself ran on ${gpu.description} with a probe behind its addition: ${other.length} of ${additions.length} partial sums have other bits than here, and its result is ${kernelSum}.`,
      );
    } catch (error) {
      setText(kernelWords, `The kernel did not run: ${(error as Error).message}`);
    }
  };

  const use = (values: Float32Array, write = true) => {
    current = reduction(values, largest);
    setText(wrong, "");
    if (write) typed.set(Array.from(values, (value) => String(Number(value.toPrecision(4)))).join(", "));
    const steepest = current.clamped.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    drawMap(values);
    const name = parameter.node.querySelector("option:checked")!.textContent;
    const words = {
      real: step
        ? `The gradient of ${name} of blob ${blob} at the pixels of tile ${tile}, step ${count(step.step + 1)}: the largest is ${shortText(steepest)}. ${step.config.parameterization === "direct" ? "With direct parameters, which have units, training itself does not clamp." : ""}`
        : "",
      typed: "Numbers of your own.",
      random: "Random numbers from −15 to 15, so that the clamp has something to do.",
    };
    setText(whose, words[source]);
    tree.reset(current);
    steps.reset({ count: current.rounds.length + 3, show, describe }, Math.min(3, current.rounds.length + 2));
    void trace();
  };
  const drawMap = (values: Float32Array) => {
    const [w, h] = tiles[values.length] ?? [values.length, 1];
    const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1;
    map.setAttribute("viewBox", `0 0 ${w * 30} ${h * 30}`);
    map.ariaLabel = `The gradient at each of the ${values.length} pixels of the tile.`;
    map.replaceChildren(
      ...Array.from(values, (value, i) => {
        const [x, y] = [30 * (i % w), 30 * Math.floor(i / w)];
        const share = `--share: ${(Math.abs(value) / most).toFixed(3)}`;
        const cell = svg("rect", {
          x: x + 1,
          y: y + 1,
          width: 28,
          height: 28,
          style: share,
          class: `pixel ${value < 0 ? "below" : "above"}`,
        });
        cell.append(svg("title", {}, `Thread ${i}: ${value}`));
        const sign = value === 0 ? "" : value < 0 ? "−" : "+";
        return svg("g", {}, standsFor(cell, `thread:${i}`), svg("text", { x: x + 15, y: y + 19 }, sign));
      }),
    );
  };
  /** The tile's gradients, and of the blob if the tile has it; otherwise of the one that has the most there. */
  const takeReal = () => {
    if (!step) return;
    source = "real";
    ofTile = pixelGradients(step, tile, field);
    const weight = (values: Float32Array) => values.reduce((sum, value) => sum + Math.abs(value), 0);
    const byWeight = [...ofTile].sort((a, b) => weight(b[1]) - weight(a[1])).map(([blob]) => blob);
    if (byWeight.length > 0 && !ofTile.has(blob)) blob = byWeight[0];
    blobs.setOptions(byWeight.map(String));
    blobs.value = String(blob);
    picker.show(step, tile, blob);
    use(ofTile.get(blob) ?? new Float32Array(threadsOf()));
    if (byWeight.length === 0) setText(wrong, "No blob meets this tile, so it has no gradient.");
  };
  /** Cuts the step into the tiles of the workgroup's size. */
  const layOut = () => {
    if (!taken) return randomise();
    step = { ...taken, ...tileStep(taken, tiles[size.value]) };
    tile = centerTile(step, blob);
    if (source === "real") return takeReal();
    picker.show(step, tile, blob);
    randomise();
  };
  const taker = stepTaker(lab, (next) => {
    taken = next;
    blob = steepestBlob(next, field);
    source = "real";
    layOut();
  });

  use(current.given);
  const node = learnFigure(
    {
      title: "From a gradient in every thread to one sum",
      alt: "Rows of bars: the gradients of a tile's pixels, then after each round half as many sums, down to a single one.",
      note: "Pick a tile in the picture, a blob that meets it and one of its parameters, or type numbers; then step through the rounds. Bars that point up are positive, those that point down negative; each row has a scale of its own, which stands on its left. Lower the clamp’s limit to see it at work.",
      isWide: true,
    },
    taker,
    element(
      "div",
      { class: "learn-controls" },
      parameter.node,
      blobs.node,
      size.node,
      limit.node,
      button("Real gradients", takeReal),
      button("Random numbers", randomise),
    ),
    element("div", { class: "reduction-source" }, picker.node, map, element("div", {}, typed.node, whose)),
    wrong,
    steps.node,
    numbers.node,
    scrollBox("The rounds of additions", tree.node),
    kernelWords,
    clampCode.node,
    reduceCode.node,
  );
  whenSeen(node, () => {
    seen = true;
    void trace();
  });
  return node;
}
