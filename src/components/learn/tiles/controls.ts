import { element, setText } from "../../element.js";

/** A labelled choice among a few. */
export function choice<Value extends string | number>(
  label: string,
  options: readonly (readonly [value: Value, text: string])[],
  value: Value,
  chosen: (value: Value) => void,
): { node: HTMLElement; select: HTMLSelectElement } {
  const select = element(
    "select",
    { "aria-label": label, onchange: () => chosen(options[select.selectedIndex][0]) },
    ...options.map(([each, text]) => element("option", { value: each, selected: each === value }, text)),
  );
  return { node: element("label", {}, label, select), select };
}

/** A labelled box for a whole number; what cannot be is told at `wrong`, and the number before stays in use. */
export function wholeNumber(
  label: string,
  value: number,
  [low, high]: [number, number],
  wrong: HTMLElement,
  changed: (value: number) => void,
): { node: HTMLElement; box: HTMLInputElement } {
  const box = element("input", {
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    class: "number-box",
    "aria-label": label,
    value,
    oninput: () => {
      const given = box.value.trim();
      const number = Number(given);
      const isRight = given !== "" && Number.isInteger(number) && number >= low && number <= high;
      if (isRight) box.removeAttribute("aria-invalid");
      else box.setAttribute("aria-invalid", "true");
      setText(wrong, isRight ? "" : `${label} must be a whole number from ${low} to ${high}.`);
      if (isRight) changed(number);
    },
  });
  return { node: element("label", {}, label, box), box };
}

/** Names and numbers side by side, which are told again and again. */
export class Facts {
  readonly node = element("dl", { class: "learn-facts" });
  readonly #values = new Map<string, HTMLElement>();

  constructor(...names: string[]) {
    for (const name of names) {
      const value = element("dd", {}, "–");
      this.#values.set(name, value);
      this.node.append(element("div", {}, element("dt", {}, name), value));
    }
  }

  tell(name: string, value: string): void {
    setText(this.#values.get(name)!, value);
  }
}
