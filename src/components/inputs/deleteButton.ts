import { element } from "../page/element.js";
import { bytesText } from "../page/format.js";

/**
 * Returns a button that deletes something at its second press. The first press changes the label to a warning.
 * @param bytes bytes that this frees, if known
 */
export function deleteButton(label: string, bytes: number | undefined, onConfirm: () => void): HTMLButtonElement {
  let isArmed = false;
  const setArmed = (value: boolean) => {
    isArmed = value;
    const frees = bytes === undefined ? "" : `, frees ${bytesText(bytes)}`;
    button.textContent = isArmed ? `Delete for good${frees}` : label;
  };
  const onclick = () => (isArmed ? onConfirm() : setArmed(true));
  const button = element("button", { type: "button", onclick, onblur: () => setArmed(false) }, label);
  return button;
}
