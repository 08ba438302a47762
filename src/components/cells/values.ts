import { counted } from "../page/format.js";
import { columnsOf, isTable, type Table } from "../tables/columnsOf.js";
import type { Notebook } from "./notebook.js";
import type { CellLanguage } from "./pageEdits.js";

/** Returns a summary of a value, such as "table of 8,192 rows: blob, center_x, …". */
export function describeValue(value: unknown): string {
  if (value === undefined) return "no value yet";
  if (value === null || typeof value !== "object") {
    return typeof value === "function" ? "function" : truncate(JSON.stringify(value) ?? String(value));
  }
  if (isTable(value)) return `table of ${counted(value.numRows, "row")}: ${listNames(columnsOf(value))}`;
  if (ArrayBuffer.isView(value))
    return `${value.constructor.name} of ${counted((value as Uint8Array).length, "number")}`;
  if (Array.isArray(value)) {
    const columns = columnsOf(value);
    return `array of ${value.length}${columns.length > 0 ? `: ${listNames(columns)}` : ""}`;
  }
  const name = value.constructor?.name ?? "Object";
  const members = listNames(membersOf(value));
  if (typeof Node !== "undefined" && value instanceof Node) return "value" in value ? "input" : "element";
  return name === "Object" ? `{${members}}` : `${name}: ${members}`;
}

/** Returns the names of a value's members, its own first. */
export function membersOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const names = new Set<string>();
  for (let at: object = Object(value); at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    // An array's own names are indices.
    if (!(Array.isArray(at) || ArrayBuffer.isView(at)))
      for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return [...names].filter((name) => /^[a-z$]/i.test(name) && name !== "constructor");
}

/**
 * Returns names as completions, in the order in which they are offered among equally good matches: those of the page's
 * cells first, with what they are.
 */
export function rankNames(
  names: readonly string[],
  values: ReadonlyMap<string, unknown> = new Map(),
): { label: string; detail?: string; boost: number }[] {
  return names.map((label, index) =>
    values.has(label)
      ? { label, detail: describeValue(values.get(label)), boost: 99 }
      : { label, boost: Math.max(-50, 50 - index) },
  );
}

/** Returns what the editor of a cell completes. */
export function completionsOf(language: CellLanguage, notebook: Notebook) {
  return {
    names: () => {
      const values = notebook.values();
      return rankNames(notebook.names(), values);
    },
    members: ([name, ...path]: string[]) => {
      const value = path.reduce<unknown>((object, key) => (object as never)?.[key], notebook.values().get(name));
      return rankNames(membersOf(value));
    },
    quotedNames: () => [...new Set([...notebook.values().values()].flatMap(columnsOf))],
  };
}

/** Returns the source of a cell that charts the blobs of the page, or else the first table among named values. */
export function chartOf(values: ReadonlyMap<string, unknown>): string {
  if (columnsOf(values.get("parameters")).includes("center_x_decoded")) {
    return `Plot.plot({
  aspectRatio: 1,
  y: {reverse: true},
  marks: [Plot.dot(parameters, {x: "center_x_decoded", y: "center_y_decoded", r: "opacity_decoded", tip: true})]
})`;
  }
  const isNumber = (value: unknown, name: string) => typeof rowOf(value)?.[name] === "number";
  for (const [name, value] of values) {
    const [x, y] = columnsOf(value).filter((column) => isNumber(value, column));
    if (y) return `Plot.plot({\n  grid: true,\n  marks: [Plot.dot(${name}, {x: "${x}", y: "${y}", tip: true})]\n})`;
  }
  return "Plot.lineY([3, 1, 4, 1, 5, 9, 2, 6]).plot({grid: true})";
}

function rowOf(value: unknown): Record<string, unknown> | undefined {
  return isTable(value) ? (value as Table & { get(row: number): never }).get(0) : (value as never[])[0];
}

function listNames(names: string[]): string {
  return names.length > 6 ? `${names.slice(0, 6).join(", ")}, …` : names.join(", ");
}

function truncate(text: string): string {
  return text.length > 60 ? `${text.slice(0, 58)}…` : text;
}
