import { html } from "htl";
import { parseNumber } from "../../engine/fields.js";
import { inRange, mustBe } from "../../engine/quoted.js";
import { showError } from "../page/help.js";
import * as Inputs from "./inputs.js";
import type { TextField } from "./textField.js";

/**
 * Returns an input of a number, by slider or by typing. An invalid number shows an error, and the value stays.
 * @param range the least and the greatest allowed value
 * @param options those of `Inputs.range`: value, step (1 if neither it nor a transform is given), transform, …
 */
export function numberField(
  label: string,
  range: [number, number],
  options: { value: number; step?: number; transform?(value: number): number; [name: string]: unknown },
): TextField<number> {
  const { step = options.transform ? undefined : 1 } = options;
  const input = Inputs.range(range, { ...options, label, step });
  const message = html`<p class="wrong-input" role="alert"></p>`;
  const kind = step === 1 ? "a whole number" : "a number";
  // The slider may be invalid too, and holds the transformed value.
  const numberInput = input.querySelector<HTMLInputElement>('[type="number"]')!;
  const showInvalid = () => {
    const typed = parseNumber(numberInput.value);
    showError(message, mustBe(label.split(",")[0], `${kind} ${inRange(...range)}`, typed), "A setting is refused");
  };
  input.querySelector('[type="range"]')!.ariaLabel = `${label}, by a slider`;
  // `invalid` does not bubble.
  input.addEventListener("invalid", showInvalid, { capture: true });
  input.oninput = () => message.replaceChildren();
  input.append(message);
  return input;
}
