import { svg } from "../../element.js";
import { standsFor } from "../marks.js";
import { type Exchange, neighbourOf } from "./exchange.js";

/** What an arrival is, in words; of 0, nobody has arrived. */
export function arrivalWords({ arrivals }: Exchange, index: number): string {
  const threads = arrivals.length / 2;
  if (index === 0) return `Nobody has arrived yet. Workgroup memory holds ${threads} words.`;
  const { thread, does, value } = arrivals[index - 1];
  const who = `Arrival ${index} of ${arrivals.length}: thread ${thread}`;
  if (does === "reads") {
    return `${who} is through the barrier and reads ${value} from thread ${neighbourOf(thread, threads)}.`;
  }
  const rest = threads - arrivals.slice(0, index).filter(({ does }) => does === "writes").length;
  const waiting = rest > 0 ? `It waits for ${rest} more.` : "It was the last one: the barrier opens.";
  return `${who} has written ${thread + 1} and stands at the barrier. ${waiting}`;
}

const unit = 29;
/** Left of the threads, for words. */
const gutter = 76;
const rowHeight = 158;
const [writeRow, barrierRow, readRow] = [30, 84, 98];

/** Threads that write, wait at the barrier and read, as they are after so many arrivals. */
export function exchangeDrawing({ arrivals, lanes }: Exchange, index: number): SVGElement {
  const threads = arrivals.length / 2;
  const columns = Math.min(threads, 32);
  const now = arrivals[index - 1];
  const who = (does: string) =>
    new Set(arrivals.slice(0, index).flatMap((arrival) => (arrival.does === does ? arrival.thread : [])));
  const [written, read] = [who("writes"), who("reads")];
  const isOpen = written.size === threads;
  const at = (thread: number) => ({
    x: gutter + (thread % columns) * unit,
    top: rowHeight * Math.floor(thread / columns),
  });
  const inGroups = lanes ?? threads;
  const subgroups = Array.from({ length: Math.ceil(threads / inGroups) }, (_, group) => {
    const { x, top: y } = at(group * inGroups);
    const name = group % 2 === 0 ? "subgroup" : "subgroup odd";
    return svg("rect", { x, y, width: unit * Math.min(inGroups, columns), height: 138, class: name });
  });
  const rows = Array.from({ length: threads / columns }, (_, row) => {
    const top = row * rowHeight;
    const y = top + barrierRow;
    const words = [
      [top + 18, "writes", "write"],
      [top + writeRow + 17, "memory", "write"],
      [y + 4, "barrier", "barrier"],
      [top + readRow + 26, "reads", "read"],
    ] as const;
    return [
      svg("line", { class: "gate", x1: gutter, x2: gutter + columns * unit, y1: y, y2: y }),
      ...words.map(([y, text, line]) =>
        standsFor(svg("text", { x: 0, y, class: "row-name" }, text), `code:exchange.${line}`),
      ),
    ];
  });
  const cells = Array.from({ length: threads }, (_, thread) => {
    const { x, top } = at(thread);
    const middle = x + unit / 2;
    const [hasWritten, hasRead, isNow] = [written.has(thread), read.has(thread), now?.thread === thread];
    const runner = (cy: number, state: string, does: string) => {
      const name = `runner ${isNow && now.does === does ? "now" : state}`;
      return [
        standsFor(svg("circle", { cx: middle, cy, r: 12, class: name }), `thread:${thread}`),
        svg("text", { x: middle, y: cy + 4, class: "runner-index" }, String(thread)),
      ];
    };
    const word = {
      x: x + 1,
      y: top + writeRow,
      width: unit - 2,
      height: 26,
      class: hasWritten ? "word filled" : "word",
    };
    const neighbour = neighbourOf(thread, threads);
    const from = middle + (neighbour === thread + 1 && neighbour % columns !== 0 ? unit : unit * 0.45);
    const arc = {
      d: `M${from},${top + writeRow + 28} L${middle},${top + readRow + 10}`,
      class: isNow ? "read-arc now" : "read-arc",
    };
    return [
      ...(hasRead ? [svg("path", arc)] : []),
      ...runner(top + 14, hasRead ? "gone" : hasWritten && !isOpen ? "here" : "", "writes"),
      standsFor(svg("rect", word), `thread:${thread}`),
      svg("text", { x: middle, y: top + writeRow + 17, class: "word-value" }, hasWritten && String(thread + 1)),
      ...runner(top + readRow + 22, hasRead ? "here" : "", "reads"),
    ];
  });
  const [width, height] = [gutter + columns * unit + 2, rowHeight * rows.length];
  const node = {
    viewBox: `0 0 ${width} ${height}`,
    class: isOpen ? "barrier-drawing is-open" : "barrier-drawing",
    style: `min-width: ${width}px; max-width: ${gutter + columns * unit * 1.6}px`,
    role: "img",
    "aria-label": `${written.size} of ${threads} threads have written; ${read.size} have read.`,
  };
  return svg("svg", node, ...subgroups, ...rows.flat(), ...cells.flat());
}

/** The lines of code that are at work in an arrival. */
export function linesOfArrival({ arrivals }: Exchange, index: number): string[] {
  if (index === 0) return [];
  if (arrivals[index - 1].does === "reads") return ["code:exchange.read"];
  return ["code:exchange.write", "code:exchange.barrier"];
}
