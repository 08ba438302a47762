import * as Inputs from "observablehq:stdlib/inputs";
import type { Schema } from "apache-arrow";
import { html } from "htl";
import { linkThing, pointByKeys, thingName } from "../figures/pointing.js";
import { oneTabStop } from "../inputs/oneTabStop.js";
import { columnHelpOf, helpOnHead, stepNote } from "./columnHelp.js";
import { columnsOf } from "./columnsOf.js";

/** A table's order and scroll position. */
interface TableState {
  sort?: string;
  reverse?: boolean;
  scroll?: ScrollToOptions;
}

/** The states of tables, by their columns. */
const states = new Map<string, TableState>();

/**
 * Returns `Inputs.table` with additions. Columns also sort by keyboard: Tab reaches one head, the arrow keys the others.
 * A table keeps the order and scroll position of an earlier one with the same columns. An Arrow table describes its
 * columns on their heads, and its caption shows the step.
 * @param options those of `Inputs.table`. `thing` is the column, such as "blob", that identifies what each row is about:
 *   the up and down keys point at rows, and Enter pins one. `schema` describes columns instead of the table's own
 */
export function table<T>(
  data: Iterable<T> & { schema?: Schema },
  { thing, schema = data.schema, rows = 11.5, ...options }: TableOptions = {},
): Inputs.Input<T[]> {
  const columns: string[] = options.columns ?? columnsOf(data);
  const state = states.get(columns.join()) ?? {};
  states.set(columns.join(), state);
  const { sort = options.sort, reverse = options.reverse } = state;
  const format = thing ? { ...options.format, [thing]: linkRow(thing, options.format?.[thing]) } : options.format;
  // A row of this site's style has 23 pixels, one more than those that Inputs expects.
  const size = { rows, maxHeight: 23 * (rows + 1) };
  const form = Inputs.table(data, { ...size, ...options, ...(data.schema && { columns }), format, sort, reverse });
  if (schema) explainColumns(form, schema);
  const caption = data.schema ? stepNote(Object.fromEntries(data.schema.metadata)) : "";
  if (caption) addCaption(form, caption);
  form.tabIndex = 0;
  if (thing) form.onkeydown = (event) => pointByKeys(event, [...form.querySelectorAll(".of-row")]);

  const head = form.querySelector("thead")!;
  const showOrder = () => {
    for (const column of head.querySelectorAll<HTMLElement>("th[title]"))
      column.ariaSort = orders[column.firstElementChild?.textContent ?? ""] ?? null;
  };
  showOrder();
  oneTabStop(head, "th[title]");
  head.onclick = () => {
    showOrder();
    const sorted = head.querySelector<HTMLElement>("[aria-sort]");
    Object.assign(state, { sort: sorted?.title, reverse: sorted?.ariaSort === "descending" });
  };
  head.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    (event.target as HTMLElement).click();
  };
  form.onscroll = () => {
    state.scroll = { left: form.scrollLeft, top: form.scrollTop };
  };
  // The table scrolls only once it is in the page.
  if (state.scroll) requestAnimationFrame(() => form.scrollTo(state.scroll));
  return form;
}

// biome-ignore lint/suspicious/noExplicitAny: the options are in the documentation of Observable Inputs
type TableOptions = Record<string, any> & { thing?: string; schema?: Schema; rows?: number };

function explainColumns(form: HTMLElement, { fields }: Schema): void {
  const help = columnHelpOf(
    Object.fromEntries(fields.map(({ name, metadata }) => [name, Object.fromEntries(metadata)])),
  );
  for (const head of form.querySelectorAll<HTMLElement>("thead th[title]"))
    helpOnHead(head, head.title, help[head.title]);
}

/** Adds a caption and its height. */
function addCaption(form: HTMLElement, text: string): void {
  form.querySelector("table")!.prepend(html`<caption>${text}</caption>`);
  if (form.style.maxHeight) form.style.maxHeight = `calc(${form.style.maxHeight} + 1.75rem)`;
}

const orders: Record<string, string> = { "▴": "ascending", "▾": "descending" };

/** Returns a format that links the rows of a column to the things that it numbers. */
function linkRow(thing: string, format: (...cell: unknown[]) => unknown = String) {
  return (value: number, ...cell: unknown[]) =>
    linkThing(html`<span class="of-row">${format(value, ...cell)}</span>`, thingName(thing, value));
}
