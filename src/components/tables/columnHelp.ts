import type { ColumnNote, ColumnNotes } from "../../engine/files/columnNotes.js";
import { helpOn } from "../figures/terms.js";
import { element } from "../page/element.js";
import { counted } from "../page/format.js";

/** What is known of a column. */
export type ColumnHelp = Pick<ColumnNote, "unit" | "description">;

/**
 * Returns what the fields of an Arrow schema say of their columns; nothing of columns in files of earlier versions.
 * @param fields metadata by column
 */
export function columnHelpOf(fields: Record<string, Record<string, string>>): Record<string, ColumnHelp> {
  const known = Object.entries(fields).flatMap(([name, { unit, description }]) =>
    unit === undefined || description === undefined ? [] : [[name, { unit, description }] as const],
  );
  return Object.fromEntries(known);
}

function textOf({ unit, description }: ColumnHelp): string {
  return unit === "text" ? `${description}.` : `${description}. Unit: ${unit === "1" ? "none" : unit}.`;
}

/** Shows what a column holds where its head is pointed at, tapped or has the focus. */
export function helpOnHead(head: HTMLElement, name: string, help: ColumnHelp | undefined): void {
  if (help) helpOn(head, `column:${encodeURIComponent(name)}`, `${name}: ${textOf(help)}`);
}

/** Returns a list of columns with what each holds, which opens; empty and hidden if nothing is known of them. */
export function columnList(columns: readonly (readonly [name: string, help: ColumnHelp | undefined])[]) {
  const node = element("details", { class: "column-list" });
  const items = columns.flatMap(([name, help]) =>
    help ? [element("dt", {}, element("code", {}, name)), element("dd", {}, textOf(help))] : [],
  );
  node.hidden = items.length === 0;
  node.append(element("summary", {}, "Columns"), element("dl", {}, ...items));
  return node;
}

/** Returns a list, which opens, of the columns of several tables, each under the name of its table. */
export function columnLists(tables: Record<string, ColumnNotes>): HTMLElement {
  const lists = Object.entries(tables).flatMap(([name, notes]) => {
    const { lastElementChild: list } = columnList(Object.entries(notes));
    return [element("h3", {}, name), list!];
  });
  return element("details", { class: "column-list" }, element("summary", {}, "Columns of these tables"), ...lists);
}

/**
 * Says of which parameters a table of a run holds the values or the gradients, from its schema's metadata.
 * @returns an empty string for other tables
 */
export function placeOf({ step, parameters_step: of }: Record<string, string>): string {
  if (step !== undefined) return `Parameters after ${counted(Number(step), "step")}`;
  if (of === undefined) return "";
  if (!/^\d+$/.test(of)) return "Gradients, each at the parameters after step − 1 steps";
  return `Gradients at the parameters after ${counted(Number(of), "step")}, for step ${Number(of) + 1}`;
}
