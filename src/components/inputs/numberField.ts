import { html } from "htl";
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
  const sentence = `${label.split(",")[0]} must be ${kind} from ${range[0]} to ${range[1]}.`;
  input.querySelector('[type="range"]')!.ariaLabel = `${label}, by a slider`;
  // `invalid` does not bubble.
  input.addEventListener("invalid", () => showError(message, sentence, "A setting is refused"), { capture: true });
  input.oninput = () => message.replaceChildren();
  input.append(message);
  return input;
}
