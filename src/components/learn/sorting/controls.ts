import { element, setText, uniqueId } from "../../element.js";

/** A box for numbers, with its label and the place for what is wrong with them. */
export interface NumbersField {
  readonly node: HTMLElement;
  /** Puts numbers into the box, as if nobody had typed. */
  set(numbers: ArrayLike<number>): void;
}

/**
 * @param take hears of finished changes; a RangeError that it throws is told below the box
 */
export function numbersField(label: string, take: (text: string) => void): NumbersField {
  const id = uniqueId("wrong");
  const wrong = element("p", { class: "wrong-input", id, "aria-live": "polite" });
  const say = (text: string) => {
    setText(wrong, text);
    if (text === "") box.removeAttribute("aria-invalid");
    else box.setAttribute("aria-invalid", "true");
  };
  const onchange = () => {
    try {
      take(box.value);
      say("");
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      say(error.message);
    }
  };
  const box = element("input", {
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": id,
    onchange,
  });
  const node = element("div", { class: "numbers-field" }, element("label", {}, label, box), wrong);
  return {
    node,
    set(numbers) {
      box.value = Array.from(numbers).join(", ");
      say("");
    },
  };
}

/** A row of things of which one is chosen. */
export function radioRow<T>(
  legend: string,
  options: readonly (readonly [text: string, value: T])[],
  chosen: T,
  change: (value: T) => void,
): HTMLFieldSetElement {
  const name = uniqueId("row");
  return element(
    "fieldset",
    { class: "switch sort-switch" },
    element("legend", {}, legend),
    ...options.map(([text, value]) =>
      element(
        "label",
        {},
        element("input", { type: "radio", name, checked: value === chosen, onchange: () => change(value) }),
        text,
      ),
    ),
  );
}

/** A box that scrolls sideways where what is in it is wider than the page. */
export function scrollBox(label: string, ...children: Node[]): HTMLElement {
  return element("div", { class: "sort-scroll", tabindex: 0, role: "group", "aria-label": label }, ...children);
}

export function button(text: string, onclick: () => void): HTMLButtonElement {
  return element("button", { type: "button", onclick }, text);
}

/** A name with its number, for a list of facts; `set` changes the number. */
export function fact(name: string): { node: HTMLElement; set(text: string): void } {
  const value = element("dd", {}, "–");
  return { node: element("div", {}, element("dt", {}, name), value), set: (text) => setText(value, text) };
}
