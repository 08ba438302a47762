import { element, setText } from "../element.js";

/** Names and numbers beside a figure, set anew as they change. */
export interface Facts<Name extends string> {
  readonly node: HTMLElement;
  /** The name with its number, to stand for something. */
  row(name: Name): HTMLElement;
  set(values: Partial<Record<Name, string>>): void;
}

export function facts<Name extends string>(...names: Name[]): Facts<Name> {
  const places = new Map(names.map((name) => [name, element("dd", {}, "–")]));
  const rows = names.map((name) => element("div", {}, element("dt", {}, name), places.get(name)));
  return {
    node: element("dl", { class: "learn-facts" }, ...rows),
    row: (name) => rows[names.indexOf(name)],
    set(values) {
      for (const [name, value] of Object.entries(values)) setText(places.get(name as Name)!, value as string);
    },
  };
}
