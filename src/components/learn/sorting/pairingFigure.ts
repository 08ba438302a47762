import { bitonicSort, type Comparator } from "../../../engine/cpu/shortList.js";
import { element, setText, svg } from "../../element.js";
import { choice, radioRow, scrollBox } from "../controls.js";
import { learnFigure } from "../learnFigure.js";
import { onPointed, standsFor } from "../marks.js";
import { binaryColumn, binaryHeight, binaryText, digitWorths } from "./binaryRow.js";

/** What the figure begins with: places, a power of two from 4 to 32, and the distance of the partners. */
export interface PairingOptions {
  n?: number;
  j?: number;
}

const sizes = [4, 8, 16, 32];

/** The partners i and i ^ j of a pass, and the binary digit in which they differ. */
export function pairingFigure({ n = 16, j = 4 }: PairingOptions = {}): HTMLElement {
  const stage = scrollBox("Places and their binary digits");
  const words = standsFor(element("p", { class: "sort-origin", "aria-live": "polite" }), "code:sort.partner");
  const distances = element("div", {});
  const say = (place: number) => {
    const digits = Math.log2(n);
    const partner = place ^ j;
    const roles =
      place < partner ? "it is the smaller, so its thread compares" : "it is the greater, so its thread goes on";
    setText(
      words,
      `i = ${place} is ${binaryText(place, digits)}. Its partner ${place} ^ ${j} = ${partner} is ${binaryText(partner, digits)}: ${roles}.`,
    );
  };
  const draw = () => {
    stage.replaceChildren(pairing(n, j));
    say(1);
  };
  const drawDistances = () => {
    const all = Array.from({ length: Math.log2(n) }, (_, power) => 2 ** power);
    distances.replaceChildren(
      radioRow("distance j", all, j, (chosen) => {
        j = chosen;
        draw();
      }),
    );
  };
  drawDistances();
  draw();
  const node = learnFigure(
    {
      title: "Partners by XOR",
      alt: "The places of a list in a row with their binary digits, and an arc from each place i to its partner i XOR j. Partners differ in one digit.",
      note: "Choose a distance, and point at a place. Its partner’s digits differ in the marked one alone, and the partner of the partner is the place itself: so the places fall into pairs, and no place is in two of them.",
    },
    element(
      "div",
      { class: "learn-controls" },
      choice("Places", sizes, n, (size) => {
        n = size;
        j = Math.min(j, n / 2);
        drawDistances();
        draw();
      }).node,
      distances,
    ),
    stage,
    words,
  );
  onPointed(node, (things) => {
    const place = things.find((thing) => thing.startsWith("element:"))?.slice("element:".length);
    if (place !== undefined && Number(place) < n) say(Number(place));
  });
  return node;
}

function pairing(n: number, j: number): SVGElement {
  const digits = Math.log2(n);
  const left = 24;
  const cell = n === 32 ? 20 : 640 / Math.max(n, 16);
  const width = left + n * cell;
  const middle = (place: number) => left + (place + 0.5) * cell;
  const arcs = 20 + 0.36 * Math.min(j * cell, width / 2);
  const pairs: Comparator[] = [];
  bitonicSort(new Uint32Array(n), [{ k: n, j }], (comparator) => pairs.push(comparator));
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${width} ${arcs + 34 + binaryHeight(digits)}`, "aria-hidden": "true" },
    ...pairs.map(({ i, l }) => {
      const [from, to] = [middle(i), middle(l)];
      const lift = arcs - 1.3 * (arcs - 6);
      return standsFor(
        svg("path", { class: "pair-arc", d: `M${from} ${arcs} C${from} ${lift} ${to} ${lift} ${to} ${arcs}` }),
        `element:${i}`,
        `element:${l}`,
      );
    }),
    ...digitWorths(digits, left - 8, arcs + 32),
    ...Array.from({ length: n }, (_, place) =>
      standsFor(
        svg(
          "g",
          { class: "pair-place", tabindex: 0 },
          svg("rect", {
            class: "pair-hit",
            x: middle(place) - cell / 2,
            y: arcs,
            width: cell,
            height: 32 + binaryHeight(digits),
          }),
          svg("circle", { cx: middle(place), cy: arcs + 14, r: n === 32 ? 9 : 12 }),
          svg("text", { x: middle(place), y: arcs + 18, "text-anchor": "middle" }, String(place)),
          ...binaryColumn(place, digits, j, middle(place), arcs + 32),
        ),
        `element:${place}`,
      ),
    ),
  );
  drawing.style.minWidth = `${width}px`;
  drawing.style.width = `${width}px`;
  return drawing;
}
