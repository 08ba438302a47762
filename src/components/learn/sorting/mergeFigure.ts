import { svg } from "../../element.js";
import { counted } from "../../format.js";
import { scrollBox, typedField } from "../controls.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { type Steps, stepper } from "../stepper.js";
import { mergeBlocks, mergeCuts, recordMerge } from "./mergeModel.js";
import { readNumbers } from "./numbers.js";
import { networkCost, type SortRecord, swapsOf } from "./sortModel.js";

/** What the figure begins with: a bitonic list of 2, 4, 8 or 16 numbers. */
export interface MergeOptions {
  numbers?: readonly number[];
}

/** How the passes of one block size merge a list that rises and then falls. */
export function mergeFigure({ numbers = [2, 4, 6, 8, 7, 5, 3, 1] }: MergeOptions = {}): HTMLElement {
  let record = recordMerge(Uint32Array.from(numbers));
  let drawing = mergeDrawing(record);
  const stage = scrollBox("The list after each pass");
  const field = typedField("A bitonic list of 2, 4, 8 or 16 numbers", (text) => {
    record = recordMerge(readNumbers(text, 2, 16));
    draw();
  });
  const stepsOf = (): Steps => ({
    count: record.passes.length + 1,
    show: (step) => drawing.show(step),
    describe: (step) => words(record, step),
  });
  const steps = stepper("Pass of the merge", stepsOf());
  const draw = () => {
    drawing = mergeDrawing(record);
    stage.replaceChildren(drawing.node);
    steps.reset(stepsOf(), 0);
  };
  field.set(numbers.join(", "));
  draw();
  return learnFigure(
    {
      title: "Merging a bitonic list",
      alt: "The list in a row of boxes, and below it the list after each pass, with lines from each place to those where its number may go. After each pass the blocks are half as long, each is bitonic, and nothing in the left half of a pair is greater than anything in its right half.",
      note: "Change the numbers; bitonic means that they rise once and fall once, also where that goes on at the other end of the list. Frames are the blocks that are left: below each stands what the figure has checked in it.",
    },
    field.node,
    steps.node,
    stage,
  );
}

function words(record: SortRecord, step: number): string {
  if (step === 0) return `A bitonic list of ${record.n}: one block.`;
  const { j } = record.passes[step - 1];
  const swaps = swapsOf(record.comparators[step - 1]);
  const cut = mergeCuts(record, step)
    .map(({ greatestBelow, leastAbove }) => `${greatestBelow} ≤ ${leastAbove}`)
    .join(", ");
  const end = step === record.passes.length ? " Sorted." : "";
  return `Pass ${step} of ${record.passes.length} (j = ${j}): ${counted(swaps, "swap")}. The greatest of each left half against the least of its right half: ${cut}.${end}`;
}

function mergeDrawing(record: SortRecord): { node: SVGElement; show(passesDone: number): void } {
  const { n, passes, comparators, arrangements } = record;
  const longest = Math.max(...Array.from(arrangements[0].numbers, (number) => String(number).length));
  const cell = Math.max(n === 16 ? 40 : 640 / Math.max(n, 9), 18 + 8 * longest);
  const layer = 96;
  const left = 58;
  const width = left + n * cell;
  const middle = (place: number) => left + (place + 0.5) * cell;
  const box = { width: Math.min(cell - 10, 46 + 4 * longest), height: 30 };
  const y = (passesDone: number) => 24 + passesDone * layer;
  const firstPass = networkCost(n).passes - passes.length;

  const wires = arrangements.map((_, done) => {
    const pass = done - 1;
    const lines =
      done === 0
        ? []
        : comparators[pass].flatMap(({ i, l, swapped }) => {
            const [top, end] = [y(pass) + box.height / 2 + 1, y(done) - box.height / 2 - 1];
            const line = (from: number, to: number, isTaken: boolean) =>
              svg("line", {
                class: isTaken ? (swapped ? "merge-line taken swapped" : "merge-line taken") : "merge-line",
                x1: middle(from),
                x2: middle(to),
                y1: top,
                y2: end,
              });
            return [line(i, i, !swapped), line(l, l, !swapped), line(i, l, swapped), line(l, i, swapped)].sort(
              (a, b) => Number(a.classList.contains("taken")) - Number(b.classList.contains("taken")),
            );
          });
    return svg("g", {}, ...lines);
  });
  const layers = arrangements.map(({ numbers }, done) => {
    const frames = mergeBlocks(record, done).map(({ first, end, isBitonic }) => {
      const isOne = end - first === 1;
      const label = isOne ? "" : isBitonic ? ((end - first) * cell > 62 ? "bitonic" : "✓") : "not bitonic";
      return svg(
        "g",
        {},
        svg("rect", {
          class: "merge-block",
          x: middle(first) - cell / 2 + 2,
          y: y(done) - box.height / 2 - 5,
          width: (end - first) * cell - 4,
          height: box.height + 10,
          rx: 7,
        }),
        label !== "" &&
          svg(
            "text",
            { class: "merge-label", x: middle(first) - cell / 2 + 6, y: y(done) + box.height / 2 + 19 },
            label,
          ),
      );
    });
    const boxes = Array.from(numbers, (number, place) =>
      standsFor(
        svg(
          "g",
          { class: "merge-box" },
          svg("rect", {
            x: middle(place) - box.width / 2,
            y: y(done) - box.height / 2,
            width: box.width,
            height: box.height,
            rx: 4,
          }),
          svg("text", { x: middle(place), y: y(done) + 5, "text-anchor": "middle" }, String(number)),
        ),
        `element:${place}`,
      ),
    );
    const name = svg(
      "text",
      { class: "merge-name", x: 0, y: y(done) + 4 },
      done === 0 ? "given" : `j = ${passes[done - 1].j}`,
    );
    if (done > 0) standsFor(name, `pass:${firstPass + done - 1}`);
    return svg("g", { class: "merge-layer" }, ...frames, ...boxes, name);
  });
  const node = svg(
    "svg",
    { viewBox: `0 0 ${width} ${y(passes.length) + 46}`, "aria-hidden": "true" },
    ...wires,
    ...layers,
  );
  node.style.minWidth = `${width}px`;
  node.style.width = `${width}px`;
  return {
    node,
    show(passesDone) {
      for (const [done, group] of layers.entries()) {
        group.classList.toggle("later", done > passesDone);
        wires[done].classList.toggle("later", done > passesDone);
        group.classList.toggle("at-work", done === passesDone);
      }
    },
  };
}
