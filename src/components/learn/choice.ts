import { element } from "../element.js";

/** A menu with its label. */
export interface Choice<T extends string> {
  readonly node: HTMLElement;
  value: T;
  /** Other options, the value kept if it is still one of them. */
  setOptions(options: readonly ChoiceOption<T>[]): void;
}

/** A value and its name; a value alone is its own name. */
export type ChoiceOption<T extends string> = T | readonly [value: T, name: string];

/** A menu of values; `changed` hears what the reader picks. */
export function choice<T extends string>(
  label: string,
  options: readonly ChoiceOption<T>[],
  value: T,
  changed: (value: T) => void,
): Choice<T> {
  const select = element("select", { onchange: () => changed(select.value as T) });
  const fill = (options: readonly ChoiceOption<T>[], value: string) => {
    const pairs = options.map((option) => (typeof option === "string" ? [option, option] : option));
    select.replaceChildren(...pairs.map(([value, name]) => element("option", { value }, name)));
    select.value = pairs.some(([option]) => option === value) ? value : pairs[0][0];
  };
  fill(options, value);
  return {
    node: element("label", {}, label, select),
    get value() {
      return select.value as T;
    },
    set value(next) {
      select.value = next;
    },
    setOptions: (options) => fill(options, select.value),
  };
}
