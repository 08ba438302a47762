import { element } from "../page/element.js";
import { bytesText } from "../page/format.js";

/**
 * Returns a button that deletes something stored at its second press, which its label announces.
 * @param label what it says at first
 * @param bytes what deleting frees, where that is known
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
