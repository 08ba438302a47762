import { element, setText } from "../../element.js";

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
      setText(wrong, isRight ? "" : `${label.split(",")[0]} must be a whole number from ${low} to ${high}.`);
      if (isRight) changed(number);
    },
  });
  return { node: element("label", {}, label, box), box };
}
