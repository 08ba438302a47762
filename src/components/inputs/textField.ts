import { element } from "../page/element.js";
import { Field } from "./field.js";

/** An input for `view`, whose value is what was last typed that could be. */
export type TextField<T> = HTMLElement & { value: T };

export interface TextFieldOptions<T> {
  value: T;
  /** What stands in the box for a value. */
  format?: (value: T) => string;
  /** A sentence below the box, where what is wrong is told too. */
  hint?: string;
  /** Lines of a box that has several. */
  rows?: number;
  /** Buttons that put another value in, by their names; they may note in a sentence where it comes from. */
  fill?: Record<string, (value: T, note: (message: string) => void) => T | Promise<T>>;
}

/**
 * A box to type in.
 * @param read makes a value of a finished change; a RangeError that it throws is told, and the value before stays
 */
export function textField<T>(
  label: string,
  read: (text: string) => T,
  { value, format = String, hint = "", rows, fill = {} }: TextFieldOptions<T>,
): TextField<T> {
  const attributes = {
    autocomplete: "off",
    spellcheck: "false",
    // Whoever observes this input hears of finished changes alone.
    oninput: (event: Event) => event.stopPropagation(),
    onchange: () => void accept(() => read(box.value)),
  };
  const box = rows ? element("textarea", { rows, ...attributes }) : element("input", { type: "text", ...attributes });
  const buttons = Object.entries(fill).map(([name, make]) => {
    const onclick = async () => {
      if (await accept(() => make(value, (message) => field.say(message)))) box.value = format(value);
    };
    return element("button", { type: "button", onclick }, name);
  });
  const field = new Field(label, hint, box, element("div", { class: "typed-row" }, box, ...buttons));
  /** Takes what comes of an act, if it can be. */
  const accept = async (next: () => T | Promise<T>): Promise<boolean> => {
    field.say();
    try {
      value = await next();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      field.say(error.message, true, "A setting is refused");
      return false;
    }
    field.node.dispatchEvent(new Event("input", { bubbles: true }));
    return true;
  };
  const show = (next: T) => {
    value = next;
    box.value = format(value);
    field.say();
  };
  show(value);
  return Object.defineProperty(field.node, "value", { get: () => value, set: show }) as unknown as TextField<T>;
}
