import { pinPointed, pointAt, standsFor } from "../figures/marks.js";

/**
 * Links a table of Observable's: each row stands for what its column of that name numbers, such as "blob", also by keys:
 * up and down point at rows, Enter pins one.
 */
export function linkedRows<E extends HTMLElement>(kind: string, table: E): E {
  const column = Array.from(table.querySelectorAll("thead th")).findIndex(
    (head) => (head as HTMLElement).title === kind,
  );
  const body = table.querySelector("tbody");
  if (column < 0 || !body) return table;
  const link = () => {
    for (const row of body.querySelectorAll<HTMLTableRowElement>("tr:not([data-things])"))
      standsFor(row, `${kind}:${row.cells[column].textContent}`);
  };
  new MutationObserver(link).observe(body, { childList: true });
  link();
  table.addEventListener("keydown", (event) => pointAtRows(event, Array.from(body.rows)));
  return table;
}

/** Up and down point at the next one of rows that stand for things, Enter pins it; other keys do what they do. */
export function pointAtRows(event: KeyboardEvent, rows: HTMLTableRowElement[]): void {
  if (event.target !== event.currentTarget || rows.length === 0) return;
  if (event.key === "Enter") pinPointed();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const at = rows.findIndex((row) => row.matches(".marked"));
  const row = rows[(Math.max(at, step < 0 ? 0 : -1) + step + rows.length) % rows.length];
  pointAt(...row.dataset.things!.split(" "));
  row.scrollIntoView({ block: "nearest" });
}
