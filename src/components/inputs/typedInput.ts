import { element, setText, uniqueId } from "../page/element.js";

/** An input for `view`, whose value is what was read of a text. */
export type TypedInput<T> = HTMLElement & { value: T };

export interface TypedOptions<T> {
  /** What it begins with. */
  value: T;
  /** Reads a finished text; a RangeError that it throws is told, and the value before stays. */
  read(text: string): T;
  /** The text of a value. */
  write?(value: T): string;
  /** Buttons that put another value in, by their names; they may note in a sentence where it comes from. */
  fill?: Record<string, (value: T, note: (words: string) => void) => T | Promise<T>>;
}

/** A box to type in, with a sentence below it where what was typed cannot be. */
export function typedInput<T>(
  label: string,
  { value, read, write = String, fill = {} }: TypedOptions<T>,
): TypedInput<T> {
  const words = element("p", { class: "typed-words", role: "status", id: uniqueId("typed") });
  const note = (text: string, isWrong = false) => {
    setText(words, text);
    words.classList.toggle("wrong", isWrong);
  };
  /** Takes what comes of an act. */
  const take = async (next: () => T | Promise<T>, isTyped = false) => {
    try {
      note("");
      node.value = await next();
      box.removeAttribute("aria-invalid");
      if (!isTyped) box.value = write(node.value);
      node.dispatchEvent(new Event("input", { bubbles: true }));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      note(error.message, true);
      if (isTyped) box.setAttribute("aria-invalid", "true");
    }
  };
  const box = element("input", {
    type: "text",
    value: write(value),
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": words.id,
    // Whoever observes this element hears of finished changes alone.
    oninput: (event: Event) => event.stopPropagation(),
    onchange: () => void take(() => read(box.value), true),
  });
  const buttons = Object.entries(fill).map(([name, make]) => {
    const onclick = () => void take(() => make(node.value, note));
    return element("button", { type: "button", onclick }, name);
  });
  const node = element(
    "div",
    { class: "typed-input" },
    element("label", {}, label, box),
    ...buttons,
    words,
  ) as unknown as TypedInput<T>;
  node.value = value;
  return node;
}
