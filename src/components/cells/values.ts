import { columnsOf, isTable, type Table } from "../tables/columnsOf.js";
import type { Notebook } from "./notebook.js";

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

/** Returns names as completions: among equally good matches, the earlier ones are offered first. */
export function rankNames(names: readonly string[]): { label: string; boost: number }[] {
  return names.map((label, index) => ({ label, boost: Math.max(-50, 99 - index) }));
}

/** Returns what the editor of a cell completes. */
export function completionsOf(notebook: Notebook) {
  return {
    names: () => rankNames(notebook.names()),
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
