import { element, setText } from "../element.js";

/** Names and numbers beside a figure, set anew as they change. */
export function facts<Name extends string>(
  ...names: Name[]
): { node: HTMLElement; set(values: Partial<Record<Name, string>>): void } {
  const places = new Map(names.map((name) => [name, element("dd", {}, "–")]));
  const rows = names.map((name) => element("div", {}, element("dt", {}, name), places.get(name)));
  return {
    node: element("dl", { class: "learn-facts" }, ...rows),
    set(values) {
      for (const [name, value] of Object.entries(values)) setText(places.get(name as Name)!, value as string);
    },
  };
}
