/** How a reader sorted and scrolled a table of Observable Inputs. */
interface TableState {
  sorting?: { by: string; isDescending: boolean };
  place?: ScrollToOptions;
}

/** By the cell that shows the table, then by its columns. */
const states = new WeakMap<Element, Record<string, TableState>>();
const resumed = new WeakSet<Element>();

/** Records how readers sort and scroll the tables of Observable Inputs in an element, present and future ones. */
export function keepTables(root: HTMLElement): void {
  root.addEventListener("click", ({ target }) => {
    const head = (target as Element).closest<HTMLElement>("form > table > thead th[title]");
    if (!head) return;
    const order = head.firstElementChild?.textContent;
    stateOf(head.closest("form")!).sorting = order ? { by: head.title, isDescending: order === "▾" } : undefined;
  });
  const onscroll = ({ target }: Event) => {
    if (!(target as Element).matches("form:has(> table)")) return;
    const { scrollLeft: left, scrollTop: top } = target as Element;
    stateOf(target as Element).place = { left, top };
  };
  root.addEventListener("scroll", onscroll, { capture: true });
}

/** Sorts and scrolls a table as its reader did with the previous one of its cell. */
export function resume(form: Element): void {
  if (resumed.has(form)) return;
  resumed.add(form);
  const { sorting, place } = stateOf(form);
  const head = headsOf(form).find(({ title }) => title === sorting?.by);
  // A click with Alt sorts descending.
  if (sorting) head?.dispatchEvent(new MouseEvent("click", { altKey: sorting.isDescending }));
  if (place) form.scrollTo(place);
}

function headsOf(form: Element): HTMLElement[] {
  return [...form.querySelectorAll<HTMLElement>("thead th[title]")];
}

function stateOf(form: Element): TableState {
  const cell = form.closest(".observablehq--block") ?? form;
  const ofCell = states.get(cell) ?? {};
  states.set(cell, ofCell);
  const columns = headsOf(form).map(({ title }) => title);
  ofCell[columns.join()] ??= {};
  return ofCell[columns.join()];
}
