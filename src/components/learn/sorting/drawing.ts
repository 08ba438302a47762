import { svg } from "../../element.js";
import { standsFor } from "../marks.js";

/** A drawing with a width of its own: where the page is narrower, a box scrolls it. */
export function drawing(width: number, height: number, ...parts: SVGElement[]): SVGElement {
  const style = `width: ${width}px; min-width: ${0.95 * width}px`;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, style, "aria-hidden": "true" }, ...parts);
}

/** Words with their middle at x. */
export function label(x: number, y: number, words: string | number, name = ""): SVGElement {
  return svg("text", { x, y, class: name, "text-anchor": "middle" }, String(words));
}

/** Numbers of rows and of columns: 0, 1, 2 and so on. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}

/** An arrow below each block of k places, towards its greater numbers. */
export function blockArrows(n: number, k: number, left: number, cell: number, y: number): SVGElement[] {
  return upTo(n / k).map((block) => {
    const ends = [left + block * k * cell + 5, left + (block + 1) * k * cell - 5];
    const room = ends[1] - ends[0];
    const isAscending = block % 2 === 0;
    const [from, to] = isAscending ? ends : ends.toReversed();
    const back = isAscending ? -6 : 6;
    const [long, short] = isAscending ? ["ascending", "up"] : ["descending", "down"];
    return svg(
      "g",
      { class: isAscending ? "sort-direction" : "sort-direction descending" },
      svg("path", { d: `M${from} ${y} H${to} m${back} -4 l${-back} 4 l${back} 4` }),
      label((from + to) / 2, y + 17, room > 66 ? long : room > 24 ? short : ""),
    );
  });
}

const left = 24;
const digitHeight = 14;

/**
 * The places of a list in a row, each over its binary digits, the highest on top; the digit worth `marked` stands out.
 * @param name class of a place
 * @param above height of what stands over the digits
 * @param below height of what stands below them
 * @param place what stands over a place's digits
 * @param more what else is drawn, for the middle of each place and the end of the digits
 */
export function placesInBinary(
  name: string,
  n: number,
  digits: number,
  marked: number,
  [above, below]: [above: number, below: number],
  place: (place: number, middle: number, cell: number) => SVGElement[],
  more: (row: { left: number; cell: number; middle(place: number): number; end: number }) => SVGElement[],
): SVGElement {
  const cell = n === 32 ? 20 : 640 / Math.max(n, 16);
  const middle = (place: number) => left + (place + 0.5) * cell;
  const end = above + digits * digitHeight;
  const worths = upTo(digits).map((row) => ({ worth: 2 ** (digits - 1 - row), top: above + row * digitHeight }));
  return drawing(
    left + n * cell,
    end + below,
    ...more({ left, cell, middle, end }),
    ...worths.map(({ worth, top }) => label(left - 14, top + 11, worth, "quiet small")),
    ...upTo(n).map((each) => {
      const x = middle(each);
      const column = worths.flatMap(({ worth, top }) => {
        const isMarked = worth === marked;
        const box = { class: isMarked ? "digit-box" : "hit", x: x - 7, y: top, width: 14, height: digitHeight, rx: 3 };
        const digit = label(x, top + 11, (each & worth) === 0 ? 0 : 1, isMarked ? "digit marked-digit" : "digit");
        return [svg("rect", box), digit];
      });
      const hit = svg("rect", { class: "hit", x: x - cell / 2, y: 0, width: cell, height: end });
      const parts = [hit, ...place(each, x, cell), ...column];
      return standsFor(svg("g", { class: name }, ...parts), `element:${each}`);
    }),
  );
}
