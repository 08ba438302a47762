import { html } from "htl";
import { ConfigError } from "../../engine/config.js";
import { Field } from "./field.js";

/** An input for `view`. Its value is the last valid one. */
export type TextField<T> = HTMLElement & { value: T };

export interface TextFieldOptions<T> {
  value: T;
  /** Returns the text of a value. */
  format?: (value: T) => string;
  /** A sentence below the box. Errors replace it. */
  hint?: string;
  /** Lines of the box; one by default. */
  rows?: number;
  /** Buttons that set another value, by their labels. `note` shows where the value comes from. */
  fill?: Record<string, (value: T, note: (message: string) => void) => T | Promise<T>>;
}

/**
 * Returns a text box.
 * @param read returns the value of a text. If it throws a RangeError or a ConfigError, the box shows its message, and the
 * value stays.
 */
export function textField<T>(
  label: string,
  read: (text: string) => T,
  { value, format = String, hint = "", rows, fill = {} }: TextFieldOptions<T>,
): TextField<T> {
  const attributes = {
    autocomplete: "off",
    spellcheck: "false",
    // Listeners of this input get only finished changes.
    oninput: (event: Event) => event.stopPropagation(),
    onchange: () => void accept(() => read(box.value)),
  };
  const box = rows
    ? html<HTMLTextAreaElement>`<textarea rows=${rows} ${attributes}></textarea>`
    : html<HTMLInputElement>`<input type="text" ${attributes}>`;
  const buttons = Object.entries(fill).map(([name, make]) => {
    const onclick = async () => {
      if (await accept(() => make(value, (message) => field.say(message)))) box.value = format(value);
    };
    return html`<button type="button" onclick=${onclick}>${name}</button>`;
  });
  const field = new Field(label, hint, box, html`<div class="row">${box}${buttons}</div>`);
  /** Sets the value, or shows the error. */
  const accept = async (next: () => T | Promise<T>): Promise<boolean> => {
    field.say();
    try {
      value = await next();
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof ConfigError)) throw error;
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
