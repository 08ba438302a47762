import { element, setText, uniqueId } from "../element.js";

/** A value to choose, with its name; text or a number alone is its own name. */
export type Option<T> = (T & (string | number)) | readonly [value: T, name: string];

/** A menu with its label. */
export interface Choice<T> {
  readonly node: HTMLElement;
  value: T;
  /** Other options, the value kept if it is still one of them. */
  setOptions(options: readonly Option<T>[]): void;
}

/** A menu of values; `changed` hears what the reader picks. */
export function choice<T>(
  label: string,
  options: readonly Option<T>[],
  value: T,
  changed: (value: T) => void,
): Choice<T> {
  const select = element("select", {
    "aria-label": label,
    onchange: () => changed(values[select.selectedIndex]),
  });
  let values: T[] = [];
  const fill = (options: readonly Option<T>[], value: T) => {
    const pairs = options.map(pairOf);
    values = pairs.map(([each]) => each);
    const attribute = (value: T) => (typeof value === "object" ? undefined : value);
    select.replaceChildren(...pairs.map(([value, name]) => element("option", { value: attribute(value) }, name)));
    select.selectedIndex = Math.max(values.indexOf(value), 0);
  };
  fill(options, value);
  return {
    node: element("label", {}, label, select),
    get value() {
      return values[select.selectedIndex];
    },
    set value(next) {
      select.selectedIndex = values.indexOf(next);
    },
    setOptions: (options) => fill(options, values[select.selectedIndex]),
  };
}

/** A row of values of which one is chosen. */
export function radioRow<T>(
  legend: string,
  options: readonly Option<T>[],
  chosen: T,
  changed: (value: T) => void,
): HTMLFieldSetElement {
  const name = uniqueId("row");
  const radio = (option: Option<T>) => {
    const [value, text] = pairOf(option);
    const onchange = () => changed(value);
    return element("label", {}, element("input", { type: "radio", name, checked: value === chosen, onchange }), text);
  };
  return element("fieldset", { class: "switch" }, element("legend", {}, legend), ...options.map(radio));
}

/** A box to type in, with its label. */
export interface TypedField {
  readonly node: HTMLElement;
  readonly box: HTMLInputElement | HTMLTextAreaElement;
  /** Puts text into the box, as if nobody had typed. */
  set(text: string): void;
}

/**
 * @param take hears of finished changes; a RangeError that it throws is told, and what was taken before stays in use
 * @param wrong where it is told, if not below the box
 * @param rows lines of a box that has several
 * @param isEager whether it hears of every letter
 */
export function typedField(
  label: string,
  take: (text: string) => void,
  { wrong, rows, isEager }: { wrong?: HTMLElement; rows?: number; isEager?: boolean } = {},
): TypedField {
  const place = wrong ?? wrongPlace();
  place.id ||= uniqueId("wrong");
  const say = (text: string) => {
    setText(place, text);
    if (text === "") box.removeAttribute("aria-invalid");
    else box.setAttribute("aria-invalid", "true");
  };
  const heard = () => {
    try {
      take(box.value);
      say("");
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      say(error.message);
    }
  };
  const attributes = {
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": place.id,
    [isEager ? "oninput" : "onchange"]: heard,
  };
  const box = rows ? element("textarea", { rows, ...attributes }) : element("input", { type: "text", ...attributes });
  return {
    node: element("div", { class: "typed-field" }, element("label", {}, label, box), !wrong && place),
    box,
    set(text) {
      box.value = text;
      say("");
    },
  };
}

/** A box for a whole number from `low` to `high`, heard while the reader types; what cannot be is told at `wrong`. */
export function wholeNumber(
  label: string,
  value: number,
  [low, high]: [number, number],
  wrong: HTMLElement,
  changed: (value: number) => void,
): TypedField {
  const take = (text: string) => {
    const number = Number(text.replaceAll(",", "").trim() || Number.NaN);
    if (!Number.isInteger(number) || number < low || number > high) {
      throw new RangeError(`${label.split(",")[0]} must be a whole number from ${low} to ${high}.`);
    }
    changed(number);
  };
  const field = typedField(label, take, { wrong, isEager: true });
  field.box.inputMode = "numeric";
  field.box.classList.add("number-box");
  field.box.value = String(value);
  return field;
}

/** Where a figure says in a sentence what is wrong with what was typed. */
export function wrongPlace(): HTMLElement {
  return element("p", { class: "wrong-input", "aria-live": "polite" });
}

export function button(text: string, onclick: () => void): HTMLButtonElement {
  return element("button", { type: "button", onclick }, text);
}

/** A box that scrolls sideways, by keys too, where what is in it is wider than the page. */
export function scrollBox(label: string, ...children: Node[]): HTMLElement {
  return element("div", { class: "learn-scroll", tabindex: 0, role: "group", "aria-label": label }, ...children);
}

function pairOf<T>(option: Option<T>): readonly [value: T, name: string] {
  return typeof option === "object" ? (option as readonly [T, string]) : [option as T, String(option)];
}
