import * as Inputs from "observablehq:stdlib/inputs";
import { pointByKeys, standsFor, thingOf } from "../figures/pointed.js";
import { explain } from "../figures/terms.js";
import { oneTabStop } from "../inputs/oneTabStop.js";
import { element } from "../page/element.js";

/** How a reader left a table. */
interface TableState {
  sort?: string;
  reverse?: boolean;
  place?: ScrollToOptions;
}

/** By the columns of tables. */
const states = new Map<string, TableState>();

/**
 * Returns `Inputs.table` with what it lacks. Its columns sort by keys too: one head is reached by Tab, the others by the
 * arrows. A table is sorted and scrolled as the reader left the one with the same columns before it.
 * @param options those of `Inputs.table`. `thing` names the column, such as "blob", whose thing each row stands for: up
 *   and down point at rows then, and Enter pins one
 */
export function table<T>(data: Iterable<T>, { thing, ...options }: TableOptions = {}): Inputs.Input<T[]> {
  const columns = options.columns ?? columnsOf(data);
  const state = states.get(columns.join()) ?? {};
  states.set(columns.join(), state);
  const { sort = options.sort, reverse = options.reverse } = state;
  const format = thing ? { ...options.format, [thing]: rowOf(thing, options.format?.[thing]) } : options.format;
  const form = explain(Inputs.table(data, { ...options, columns, format, sort, reverse }));
  form.tabIndex = 0;
  if (thing) form.addEventListener("keydown", (event) => pointByKeys(event, [...form.querySelectorAll(".of-row")]));

  const head = form.querySelector("thead")!;
  const showOrder = () => {
    for (const column of head.querySelectorAll<HTMLElement>("th[title]"))
      column.ariaSort = orders[column.firstElementChild?.textContent ?? ""] ?? null;
  };
  showOrder();
  oneTabStop(head, "th[title]");
  head.addEventListener("click", () => {
    showOrder();
    const sorted = head.querySelector<HTMLElement>("[aria-sort]");
    Object.assign(state, { sort: sorted?.title, reverse: sorted?.ariaSort === "descending" });
  });
  head.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    (event.target as HTMLElement).click();
  });
  form.addEventListener("scroll", () => {
    state.place = { left: form.scrollLeft, top: form.scrollTop };
  });
  // Only what is on the page can be scrolled.
  if (state.place) requestAnimationFrame(() => form.scrollTo(state.place));
  return form;
}

// biome-ignore lint/suspicious/noExplicitAny: the options are in the documentation of Observable Inputs
type TableOptions = Record<string, any> & { thing?: string };

const orders: Record<string, string> = { "▴": "ascending", "▾": "descending" };

function columnsOf(data: Iterable<unknown> & { schema?: { fields: { name: string }[] } }): string[] {
  if (data.schema) return data.schema.fields.map(({ name }) => name);
  return [...new Set(Array.from(data, (row) => Object.keys(row as object)).flat())];
}

/** Formats the cells of a column so that their rows stand for the things that it numbers. */
function rowOf(thing: string, format: (...cell: unknown[]) => unknown = String) {
  return (value: number, ...cell: unknown[]) =>
    standsFor(element("span", { class: "of-row" }, String(format(value, ...cell))), thingOf(thing, value));
}
