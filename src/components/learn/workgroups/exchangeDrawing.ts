import { standsFor } from "../../figures/pointed.js";
import { circle, drawing, group, label, line, path, rect, text, upTo } from "../../figures/shapes.js";
import { type Exchange, neighbourOf } from "./exchange.js";

/** What an arrival is, in words; of 0, nobody has arrived. */
export function arrivalWords({ arrivals }: Exchange, index: number): string {
  const threads = arrivals.length / 2;
  if (index === 0) return `No thread has arrived yet. Workgroup memory holds ${threads} words.`;
  const { thread, does, value } = arrivals[index - 1];
  const who = `Arrival ${index} of ${arrivals.length}: thread ${thread}`;
  if (does === "reads") {
    return `${who} is through the barrier and reads ${value} from thread ${neighbourOf(thread, threads)}.`;
  }
  const rest = threads - arrivals.slice(0, index).filter(({ does }) => does === "writes").length;
  const waiting = rest > 0 ? `It waits for ${rest} more.` : "It is the last one: the barrier opens.";
  return `${who} has written ${thread + 1} and waits at the barrier. ${waiting}`;
}

const unit = 29;
/** Left of the threads, for words. */
const gutter = 76;
const rowHeight = 158;
const [writers, memory, gate, readers] = [14, 30, 84, 120];

/** Threads that write, wait at the barrier and read, as they are after so many arrivals. */
export function exchangeDrawing({ arrivals, lanes }: Exchange, index: number): SVGElement {
  const threads = arrivals.length / 2;
  const columns = Math.min(threads, 32);
  const width = gutter + columns * unit + 2;
  const now = arrivals[index - 1];
  const who = (does: string) =>
    new Set(arrivals.slice(0, index).flatMap((arrival) => (arrival.does === does ? arrival.thread : [])));
  const [written, read] = [who("writes"), who("reads")];
  const isOpen = written.size === threads;
  const xOf = (thread: number) => gutter + (thread % columns) * unit;
  const topOf = (thread: number) => rowHeight * Math.floor(thread / columns);

  const inStep = lanes ?? threads;
  const subgroups = upTo(Math.ceil(threads / inStep)).map((group) => {
    const name = group % 2 === 0 ? "subgroup" : "subgroup odd";
    return rect(name, xOf(group * inStep), topOf(group * inStep), unit * Math.min(inStep, columns), 138);
  });
  const rows = upTo(threads / columns).flatMap((row) => {
    const top = row * rowHeight;
    const name = (y: number, words: string, thing: string) => standsFor(text("row-name", 0, top + y + 4, words), thing);
    return [
      line("gate", gutter, top + gate, width - 2, top + gate),
      name(writers, "writes", "code:exchange.write"),
      name(memory + 13, "memory", "code:exchange.write"),
      name(gate, "barrier", "code:exchange.barrier"),
      name(readers, "reads", "code:exchange.read"),
    ];
  });
  const cells = upTo(threads).flatMap((thread) => {
    const [x, top, middle] = [xOf(thread), topOf(thread), xOf(thread) + unit / 2];
    const [hasWritten, hasRead, isNow] = [written.has(thread), read.has(thread), now?.thread === thread];
    const runner = (y: number, state: string, does: string) => [
      standsFor(
        circle(`runner ${isNow && now.does === does ? "now" : state}`, middle, top + y, 12),
        `thread:${thread}`,
      ),
      label("runner-index", middle, top + y + 4, thread),
    ];
    const neighbour = neighbourOf(thread, threads);
    const from = middle + (neighbour === thread + 1 && neighbour % columns !== 0 ? unit : unit * 0.45);
    const arc = `M${from},${top + memory + 28} L${middle},${top + readers - 12}`;
    return [
      ...(hasRead ? [path(isNow ? "read-arc now" : "read-arc", arc)] : []),
      ...runner(writers, hasRead ? "gone" : hasWritten && !isOpen ? "here" : "", "writes"),
      standsFor(rect(hasWritten ? "word filled" : "word", x + 1, top + memory, unit - 2, 26), `thread:${thread}`),
      label("", middle, top + memory + 17, hasWritten ? thread + 1 : ""),
      ...runner(readers, hasRead ? "here" : "", "reads"),
    ];
  });
  const name = isOpen ? "barrier-drawing is-open" : "barrier-drawing";
  const node = drawing(width, rowHeight * (threads / columns), group(name, ...subgroups, ...rows, ...cells));
  node.removeAttribute("aria-hidden");
  node.role = "img";
  node.ariaLabel = `${written.size} of ${threads} threads have written; ${read.size} have read.`;
  return node;
}

/** The lines of code that are at work in an arrival. */
export function linesOfArrival({ arrivals }: Exchange, index: number): string[] {
  if (index === 0) return [];
  if (arrivals[index - 1].does === "reads") return ["code:exchange.read"];
  return ["code:exchange.write", "code:exchange.barrier"];
}
