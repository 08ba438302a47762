import { element, svg } from "../../element.js";
import { count } from "../../format.js";
import { button, choice, scrollBox, typedField } from "../controls.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { type Steps, stepper } from "../stepper.js";
import { networkPasses } from "./networkModel.js";
import { numberText, randomNumbers, readNumbers } from "./numbers.js";
import { networkCost, recordSort, type SortRecord, swapsOf } from "./sortModel.js";

/** What the figure begins with. */
export interface NetworkOptions {
  /** Places: a power of two from 2 to 64. */
  n?: number;
  /** The numbers that flow through it, as many as there are places at most; random ones if absent. */
  numbers?: readonly number[];
}

const sizes = [2, 4, 8, 16, 32, 64];

/** The whole comparison network, and a list that flows through it. */
export function networkFigure(options: NetworkOptions = {}): HTMLElement {
  let n = options.n ?? 8;
  let seed = 11;
  let record = recordSort(filled(Uint32Array.from(options.numbers ?? randomNumbers(n, seed)), n));
  let drawing = networkDrawing(record);
  const field = typedField("Numbers that flow through it", (text) => flow(readNumbers(text, 1, n)));
  const cost = element("p", { class: "sort-origin" });
  const stage = scrollBox("The network");
  const steps = stepper("Pass of the network", stepsOf());

  function stepsOf(): Steps {
    return {
      count: record.passes.length + 1,
      show: (step) => drawing.show(step),
      describe: (step) => {
        if (step === 0) return "The numbers enter on the left.";
        const { k, j } = record.passes[step - 1];
        const swaps = swapsOf(record.comparators[step - 1]);
        const all = swapsOf(record.comparators.flat());
        const end = step === record.passes.length ? ` The list is sorted, after ${count(all)} swaps in all.` : "";
        return `Pass ${step} of ${record.passes.length} (k = ${k}, j = ${j}): ${swaps} of ${n / 2} comparators swap.${end}`;
      },
    };
  }

  function flow(numbers: Uint32Array): void {
    record = recordSort(filled(numbers, n));
    field.set(numbers.join(", "));
    drawing = networkDrawing(record);
    stage.replaceChildren(drawing.node);
    const { passes, aPass, comparators } = networkCost(n);
    cost.textContent = `${passes} passes of ${aPass} comparators: ${count(comparators)} in all.`;
    steps.reset(stepsOf(), record.passes.length);
  }

  flow(Uint32Array.from(options.numbers ?? randomNumbers(n, seed)));
  return learnFigure(
    {
      title: "The comparison network",
      alt: "A line for each place of the list, from left to right; a vertical connector between two of them for each comparator, in columns by pass. Its arrow head is at the line that gets the greater number; connectors that swap the numbers shown are bold.",
      note: "Each line is a place; numbers flow from left to right. A connector compares two places, and the greater number leaves where the arrow head is. Bold: these two numbers are swapped. The network has the same connectors whatever the numbers are; only which of them are bold changes.",
      isWide: true,
    },
    element(
      "div",
      { class: "learn-controls" },
      choice("Places", sizes, n, (size) => {
        n = size;
        flow(randomNumbers(n, seed));
      }).node,
      button("Random", () => flow(randomNumbers(n, ++seed))),
    ),
    field.node,
    cost,
    steps.node,
    stage,
  );
}

/** The numbers, with a sentinel in each place for which there is none. */
function filled(numbers: Uint32Array, n: number): Uint32Array {
  const all = new Uint32Array(n).fill(0xffffffff);
  all.set(numbers.subarray(0, n));
  return all;
}

function networkDrawing(record: SortRecord): { node: SVGElement; show(passesDone: number): void } {
  const { n, passes, arrangements, comparators } = record;
  const network = networkPasses(n);
  const row = n <= 8 ? 34 : n <= 16 ? 26 : n <= 32 ? 20 : 15;
  const lane = n <= 8 ? 44 : n <= 16 ? 16 : 10;
  const digits = Math.max(...arrangements[0].numbers.map((number) => numberText(number).length));
  const room = 14 + Math.max(2, digits) * (n <= 16 ? 8 : 6.5);
  const head = 52;
  const y = (place: number) => head + (place + 0.5) * row;
  const bottom = head + n * row;
  const small = n > 16 ? "sort-small" : "";

  // Where each pass begins: its lanes, with room for the numbers before it.
  const starts: number[] = [];
  let x = 30;
  for (const [pass, { lanes, j, k }] of network.entries()) {
    if (pass > 0 && j === k / 2) x += 10;
    starts.push(x);
    x += room + lanes * lane;
  }
  const right = x + room;

  const wires = Array.from({ length: n }, (_, place) =>
    standsFor(
      svg("line", { class: "network-wire", x1: 26, x2: right - 4, y1: y(place), y2: y(place) }),
      `element:${place}`,
    ),
  );
  const names = Array.from({ length: n }, (_, place) =>
    standsFor(
      svg("text", { x: 14, y: y(place) + 4, "text-anchor": "middle", class: `sort-quiet ${small}` }, String(place)),
      `element:${place}`,
    ),
  );
  const bands = network.map(({ lanes }, pass) =>
    standsFor(
      svg("rect", {
        class: "network-band",
        x: starts[pass] + room,
        y: head - 22,
        width: lanes * lane,
        height: bottom - head + 26,
        rx: 4,
      }),
      `pass:${pass}`,
    ),
  );
  const labels = network.map(({ j, lanes }, pass) =>
    standsFor(
      svg(
        "text",
        { x: starts[pass] + room + (lanes * lane) / 2, y: head - 8, "text-anchor": "middle", class: small },
        n <= 16 ? `j = ${j}` : `j ${j}`,
      ),
      `pass:${pass}`,
    ),
  );
  const stages = network.flatMap(({ k, j, lanes }, pass) => {
    if (j !== k / 2) return [];
    const last = pass + Math.log2(k) - 1;
    const [from, to] = [starts[pass] + room, starts[last] + room + network[last].lanes * lane];
    return [
      svg("path", { class: "network-bracket", d: `M${from} 24 v-5 H${to} v5` }),
      svg(
        "text",
        { x: (from + to) / 2, y: 12, "text-anchor": "middle", class: small },
        lanes > 1 || n <= 32 ? `k = ${k}` : `k ${k}`,
      ),
    ];
  });
  const connectors = network.map(({ comparators: drawn }, pass) =>
    svg(
      "g",
      { class: "network-group" },
      ...drawn.map(({ i, l, ascending, lane: at }, index) => {
        const swapped = comparators[pass][index].swapped;
        const center = starts[pass] + room + (at + 0.5) * lane;
        const [from, to] = ascending ? [y(i), y(l)] : [y(l), y(i)];
        const back = ascending ? -6 : 6;
        return standsFor(
          svg(
            "g",
            { class: swapped ? "network-comparator swapped" : "network-comparator" },
            svg("line", { class: "network-hit", x1: center, x2: center, y1: y(i), y2: y(l) }),
            svg("line", { x1: center, x2: center, y1: from, y2: to }),
            svg("circle", { cx: center, cy: from, r: n <= 16 ? 3 : 2.2 }),
            svg("path", {
              class: "head",
              d: `M${center - 4} ${to + back} L${center} ${to} L${center + 4} ${to + back} Z`,
            }),
          ),
          `element:${i}`,
          `element:${l}`,
        );
      }),
    ),
  );
  const numbers = arrangements.map(({ numbers: list }, pass) => {
    const at = (pass < passes.length ? starts[pass] : x) + room / 2;
    const before = pass > 0 ? arrangements[pass - 1].numbers : list;
    return svg(
      "g",
      { class: "network-numbers" },
      ...Array.from(list, (number, place) => {
        const text = numberText(number);
        const width = 6 + text.length * (n <= 16 ? 7.2 : 6.2);
        const words = number === before[place] ? small : `${small} moved`;
        return svg(
          "g",
          {},
          svg("rect", { class: "number-ground", x: at - width / 2, y: y(place) - 7, width, height: 14 }),
          svg("text", { x: at, y: y(place) + 4, "text-anchor": "middle", class: words }, text),
        );
      }),
    );
  });

  const node = svg(
    "svg",
    { viewBox: `0 0 ${right} ${bottom + 8}`, "aria-hidden": "true" },
    ...bands,
    ...wires,
    ...names,
    ...stages,
    ...labels,
    ...connectors,
    ...numbers,
  );
  node.style.width = `${right}px`;
  node.style.maxWidth = right > 1080 ? "none" : "100%";
  node.style.minWidth = `${0.95 * right}px`;
  return {
    node,
    show(passesDone) {
      for (const [pass, group] of connectors.entries()) group.classList.toggle("later", pass >= passesDone);
      for (const [pass, group] of numbers.entries()) group.classList.toggle("later", pass > passesDone);
      for (const [pass, band] of bands.entries()) band.classList.toggle("at-work", pass === passesDone - 1);
    },
  };
}
