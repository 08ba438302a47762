import { element } from "../page/element.js";
import { bytesText } from "../page/format.js";

/**
 * Returns a button that deletes something stored at its second press, which its label announces.
 * @param label what it says at first
 * @param bytes what deleting frees, where that is known
 */
export function deleteButton(label: string, bytes: number | undefined, then: () => void): HTMLButtonElement {
  let isSure = false;
  const ask = (isAsked: boolean) => {
    isSure = isAsked;
    const frees = bytes === undefined ? "" : `, frees ${bytesText(bytes)}`;
    button.textContent = isSure ? `Delete for good${frees}` : label;
  };
  const onclick = () => (isSure ? then() : ask(true));
  const button = element("button", { type: "button", onclick, onblur: () => ask(false) }, label);
  return button;
}
