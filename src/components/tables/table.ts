import * as Inputs from "observablehq:stdlib/inputs";
import type { Schema } from "apache-arrow";
import { linkThings, pointByKeys, thingName } from "../figures/pointing.js";
import { explain } from "../figures/terms.js";
import { oneTabStop } from "../inputs/oneTabStop.js";
import { element } from "../page/element.js";
import { columnHelpOf, helpOnHead, placeOf } from "./columnHelp.js";

/** How a reader left a table. */
interface TableState {
  sort?: string;
  reverse?: boolean;
  scroll?: ScrollToOptions;
}

/** By the columns of tables. */
const states = new Map<string, TableState>();

/**
 * Returns `Inputs.table` with what it lacks. Its columns sort by keys too: one head is reached by Tab, the others by the
 * arrows. A table is sorted and scrolled as the reader left the one with the same columns before it. An Arrow table
 * explains its columns where their heads are pointed at or have the focus, and says after how many steps it was taken.
 * @param options those of `Inputs.table`. `thing` names the column, such as "blob", whose thing each row stands for: up
 *   and down point at rows then, and Enter pins one. `schema` explains columns, instead of the table's own
 */
export function table<T>(
  data: Iterable<T> & { schema?: Schema },
  { thing, schema = data.schema, ...options }: TableOptions = {},
): Inputs.Input<T[]> {
  const columns = options.columns ?? columnsOf(data);
  const state = states.get(columns.join()) ?? {};
  states.set(columns.join(), state);
  const { sort = options.sort, reverse = options.reverse } = state;
  const format = thing ? { ...options.format, [thing]: linkRow(thing, options.format?.[thing]) } : options.format;
  const form = Inputs.table(data, { ...options, columns, format, sort, reverse });
  if (schema) explainColumns(form, schema);
  explain(form);
  const scroll = data.schema ? placeOf(Object.fromEntries(data.schema.metadata)) : "";
  if (scroll) addCaption(form, scroll);
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
    state.scroll = { left: form.scrollLeft, top: form.scrollTop };
  });
  // Only what is on the page can be scrolled.
  if (state.scroll) requestAnimationFrame(() => form.scrollTo(state.scroll));
  return form;
}

// biome-ignore lint/suspicious/noExplicitAny: the options are in the documentation of Observable Inputs
type TableOptions = Record<string, any> & { thing?: string; schema?: Schema };

function explainColumns(form: HTMLElement, { fields }: Schema): void {
  const help = columnHelpOf(
    Object.fromEntries(fields.map(({ name, metadata }) => [name, Object.fromEntries(metadata)])),
  );
  for (const head of form.querySelectorAll<HTMLElement>("thead th[title]"))
    helpOnHead(head, head.title, help[head.title]);
}

/** Adds a caption, for which the table becomes higher. */
function addCaption(form: HTMLElement, text: string): void {
  form.querySelector("table")!.prepend(element("caption", {}, text));
  if (form.style.maxHeight) form.style.maxHeight = `calc(${form.style.maxHeight} + 1.75rem)`;
}

const orders: Record<string, string> = { "▴": "ascending", "▾": "descending" };

function columnsOf(data: Iterable<unknown> & { schema?: Schema }): string[] {
  if (data.schema) return data.schema.fields.map(({ name }) => name);
  return [...new Set(Array.from(data, (row) => Object.keys(row as object)).flat())];
}

/** Formats the cells of a column so that their rows stand for the things that it numbers. */
function linkRow(thing: string, format: (...cell: unknown[]) => unknown = String) {
  return (value: number, ...cell: unknown[]) =>
    linkThings(element("span", { class: "of-row" }, String(format(value, ...cell))), thingName(thing, value));
}
