import { bitonicPasses } from "../../../engine/cpu/shortList.js";
import { element, setText, svg } from "../../element.js";
import { counted } from "../../format.js";
import { button, choice, radioRow, scrollBox } from "../controls.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { binaryColumn, binaryHeight, digitWorths } from "./binaryRow.js";
import { randomNumbers } from "./numbers.js";
import { recordSort } from "./sortModel.js";

/** What the figure begins with: places, a power of two from 4 to 32, and the block size. */
export interface DirectionOptions {
  n?: number;
  k?: number;
}

const sizes = [4, 8, 16, 32];

/** Which blocks a block size k sorts upwards and which downwards, and a list once its passes are done. */
export function directionFigure({ n = 16, k = 4 }: DirectionOptions = {}): HTMLElement {
  let seed = 5;
  const stage = scrollBox("Places and their binary digits");
  const words = standsFor(element("p", { class: "sort-origin", "aria-live": "polite" }), "code:sort.direction");
  const blockSizes = element("div", {});
  const draw = () => {
    stage.replaceChildren(directions(n, k, seed));
    setText(
      words,
      k === n
        ? `No place below ${n} has the digit worth ${k}, so the last block size sorts the whole list upwards.`
        : `${counted(n / k, "block")} of ${k} places, by turns upwards and downwards. Two neighbours make ${counted(n / k / 2, "block")} of ${2 * k} that ${n / k / 2 === 1 ? "rises and then falls" : "rise and then fall"}: what the next block size merges.`,
    );
  };
  const drawBlockSizes = () => {
    const all = Array.from({ length: Math.log2(n) }, (_, power) => 2 ** (power + 1));
    blockSizes.replaceChildren(
      radioRow("block size k", all, k, (chosen) => {
        k = chosen;
        draw();
      }),
    );
  };
  drawBlockSizes();
  draw();
  return learnFigure(
    {
      title: "Directions by one bit",
      alt: "The places of a list in a row with their binary digits. Where the digit worth k is zero the block is sorted upwards, elsewhere downwards; bars show a random list after the passes of this block size.",
      note: "Choose a block size k. The bars are a random list after all passes up to this k, sorted by the engine’s twin of the kernel.",
    },
    element(
      "div",
      { class: "learn-controls" },
      choice("Places", sizes, n, (size) => {
        n = size;
        k = Math.min(k, n);
        drawBlockSizes();
        draw();
      }).node,
      blockSizes,
      button("Another list", () => {
        seed++;
        draw();
      }),
    ),
    stage,
    words,
  );
}

function directions(n: number, k: number, seed: number): SVGElement {
  // One digit more than a place has: the greatest k is the digit that none of them has.
  const digits = Math.log2(n) + 1;
  const left = 24;
  const cell = n === 32 ? 20 : 640 / Math.max(n, 16);
  const width = left + n * cell;
  const bars = 88;
  const middle = (place: number) => left + (place + 0.5) * cell;
  const network = [...bitonicPasses(n)].filter((pass) => pass.k <= k);
  const { numbers } = recordSort(randomNumbers(n, seed), network).arrangements.at(-1)!;
  const greatest = Math.max(1, ...numbers);
  const below = bars + 22 + binaryHeight(digits);
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${width} ${below + 42}`, "aria-hidden": "true" },
    ...digitWorths(digits, left - 8, bars + 20),
    ...Array.from(numbers, (number, place) => {
      const height = Math.max(2, ((bars - 4) * number) / greatest);
      const isAscending = (place & k) === 0;
      return standsFor(
        svg(
          "g",
          { class: "direction-place" },
          svg("rect", { class: "pair-hit", x: middle(place) - cell / 2, y: 0, width: cell, height: below }),
          svg("rect", {
            class: isAscending ? "direction-bar ascending" : "direction-bar",
            x: middle(place) - cell * 0.32,
            y: bars - height,
            width: cell * 0.64,
            height,
            rx: 2,
          }),
          svg("text", { x: middle(place), y: bars + 15, "text-anchor": "middle", class: "sort-quiet" }, String(place)),
          ...binaryColumn(place, digits, k, middle(place), bars + 20),
        ),
        `element:${place}`,
      );
    }),
    ...Array.from({ length: n / k }, (_, block) => {
      const isAscending = block % 2 === 0;
      const [x1, x2] = [left + block * k * cell + 5, left + (block + 1) * k * cell - 5];
      const [from, to] = isAscending ? [x1, x2] : [x2, x1];
      const back = isAscending ? -6 : 6;
      const y = below + 12;
      const words = x2 - x1 > 66 ? (isAscending ? "ascending" : "descending") : isAscending ? "up" : "down";
      return svg(
        "g",
        { class: isAscending ? "sort-direction" : "sort-direction descending" },
        svg("path", { d: `M${from} ${y} H${to} m${back} -4 l${-back} 4 l${back} 4` }),
        svg("text", { x: (x1 + x2) / 2, y: y + 20, "text-anchor": "middle" }, words),
      );
    }),
  );
  drawing.style.minWidth = `${width}px`;
  drawing.style.width = `${width}px`;
  return drawing;
}
