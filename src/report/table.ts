import { html } from "htl";

/** A column of a table. */
export interface Column {
  head: string;
  /** A description, shown when the head is pointed at. */
  help?: string;
  /** Numbers are aligned to the right. */
  isNumber?: boolean;
  /** Returns the content of the column's cell in a row. */
  cell(row: number): Node | string;
}

/** Returns a table, which scrolls sideways. The first column names the rows. */
export function dataTable(label: string, columns: readonly Column[], rows: Iterable<number>): HTMLElement {
  const cellOf = ({ isNumber, cell }: Column, row: number, i: number) =>
    i === 0 ? html`<th scope="row">${cell(row)}` : html`<td class=${isNumber && "number"}>${cell(row)}`;
  const rowOf = (row: number) => html`<tr>${columns.map((column, i) => cellOf(column, row, i))}`;
  const headOf = ({ head, help, isNumber }: Column) =>
    html`<th scope="col" class=${isNumber && "number"} title=${help}>${head}`;
  return html`<div class="wide" tabindex="0" role="region" aria-label=${`${label}, scrolls sideways`}>
    <table aria-label=${label}><thead><tr>${columns.map(headOf)}</tr></thead><tbody>${Array.from(rows, rowOf)}</tbody></table>
  </div>`;
}
