import { counted } from "../page/format.js";
import { helpOn } from "./helpTip.js";

/** A description of a column. */
export interface ColumnHelp {
  unit: string;
  description: string;
}

/**
 * Returns descriptions of the columns of an Arrow schema, by name; files of earlier versions have none.
 * @param fields the metadata of each field
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

/** Shows the description of a column when its head is hovered, tapped or focused. */
export function helpOnHead(head: HTMLElement, name: string, help: ColumnHelp | undefined): void {
  if (help) helpOn(head, `column:${encodeURIComponent(name)}`, `${name}: ${textOf(help)}`);
}

/**
 * Returns which step the parameters or gradients of a run's table belong to, from its schema's metadata; an empty
 * string for other tables.
 */
export function stepNote({ step, parameters_step: of }: Record<string, string>): string {
  if (step !== undefined) return `Parameters after ${counted(Number(step), "step")}`;
  if (of === undefined) return "";
  if (!/^\d+$/.test(of)) return "Gradients, each at the parameters after step − 1 steps";
  return `Gradients at the parameters after ${counted(Number(of), "step")}, for step ${Number(of) + 1}`;
}
