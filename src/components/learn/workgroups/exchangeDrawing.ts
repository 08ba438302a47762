import { linkThings } from "../../figures/pointing.js";
import { circle, drawing, group, indices, label, line, path, rect, text } from "../../figures/shapes.js";
import { counted } from "../../page/format.js";
import { type Exchange, neighbourOf } from "./exchange.js";

/** Returns a sentence on an arrival, counted from 1; 0 is the state before any. */
export function describeArrival({ arrivals }: Exchange, index: number): string {
  const threads = arrivals.length / 2;
  if (index === 0) return `No thread has arrived yet. Workgroup memory holds ${threads} words.`;
  const { thread, action, value } = arrivals[index - 1];
  const intro = `Arrival ${index} of ${arrivals.length}: thread ${thread}`;
  if (action === "reads") {
    return `${intro} is through the barrier and reads ${value} from thread ${neighbourOf(thread, threads)}.`;
  }
  const remaining = threads - arrivals.slice(0, index).filter(({ action }) => action === "writes").length;
  const waitText =
    remaining > 0 ? `${counted(remaining, "thread")} more must arrive.` : "It is the last one: the barrier opens.";
  return `${intro} has written ${thread + 1} and waits at the barrier. ${waitText}`;
}

const unit = 29;
/** The width of the labels left of the threads. */
const gutter = 76;
const rowHeight = 158;
const [writers, memory, gate, readers] = [14, 30, 84, 120];

/** Returns a drawing of the threads that write, wait at the barrier and read, after some arrivals. */
export function exchangeDrawing({ arrivals, lanes }: Exchange, index: number): SVGElement {
  const threads = arrivals.length / 2;
  const columns = Math.min(threads, 32);
  const width = gutter + columns * unit + 2;
  const current = arrivals[index - 1];
  const threadsThat = (action: string) =>
    new Set(arrivals.slice(0, index).flatMap((arrival) => (arrival.action === action ? arrival.thread : [])));
  const [written, read] = [threadsThat("writes"), threadsThat("reads")];
  const isOpen = written.size === threads;
  const xOf = (thread: number) => gutter + (thread % columns) * unit;
  const topOf = (thread: number) => rowHeight * Math.floor(thread / columns);

  const subgroupSize = lanes ?? threads;
  const subgroups = indices(Math.ceil(threads / subgroupSize)).map((group) => {
    const name = group % 2 === 0 ? "subgroup" : "subgroup odd";
    const first = group * subgroupSize;
    return rect(name, xOf(first), topOf(first), unit * Math.min(subgroupSize, columns), 138);
  });
  const rows = indices(threads / columns).flatMap((row) => {
    const top = row * rowHeight;
    const name = (y: number, caption: string, thing: string) =>
      linkThings(text("quiet", 0, top + y + 4, caption), thing);
    return [
      line("gate", gutter, top + gate, width - 2, top + gate),
      name(writers, "writes", "code:exchange.write"),
      name(memory + 13, "memory", "code:exchange.write"),
      name(gate, "barrier", "code:exchange.barrier"),
      name(readers, "reads", "code:exchange.read"),
    ];
  });
  const cells = indices(threads).flatMap((thread) => {
    const [x, top, middle] = [xOf(thread), topOf(thread), xOf(thread) + unit / 2];
    const [hasWritten, hasRead, isCurrent] = [written.has(thread), read.has(thread), current?.thread === thread];
    const runner = (y: number, state: string, action: string) => [
      linkThings(
        circle(`runner ${isCurrent && current.action === action ? "now" : state}`, middle, top + y, 12),
        `thread:${thread}`,
      ),
      label("runner-index", middle, top + y + 4, thread),
    ];
    const neighbour = neighbourOf(thread, threads);
    const from = middle + (neighbour === thread + 1 && neighbour % columns !== 0 ? unit : unit * 0.45);
    const arc = `M${from},${top + memory + 28} L${middle},${top + readers - 12}`;
    return [
      ...(hasRead ? [path(isCurrent ? "read-arc now" : "read-arc", arc)] : []),
      ...runner(writers, hasRead ? "gone" : hasWritten && !isOpen ? "here" : "", "writes"),
      linkThings(rect(hasWritten ? "word filled" : "word", x + 1, top + memory, unit - 2, 26), `thread:${thread}`),
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

/** Returns the active lines of code at an arrival. */
export function arrivalCodeLines({ arrivals }: Exchange, index: number): string[] {
  if (index === 0) return [];
  if (arrivals[index - 1].action === "reads") return ["code:exchange.read"];
  return ["code:exchange.write", "code:exchange.barrier"];
}
