import { html } from "htl";
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
  const onblur = () => setArmed(false);
  const button = html<HTMLButtonElement>`<button type="button" onclick=${onclick} onblur=${onblur}>${label}</button>`;
  return button;
}
