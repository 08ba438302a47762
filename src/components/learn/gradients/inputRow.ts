import { html } from "htl";
import { linkThings } from "../../figures/pointing.js";
import { setText, uniqueId } from "../../page/element.js";
import { differenceText, numberText } from "../../page/numberText.js";
import type { SlopeComparison } from "./differences.js";
import { mathText, mathWords } from "./mathText.js";
import type { StageInput } from "./stageAdjoint.js";

/** The largest magnitude that can be typed: beyond it differences have no digits left. */
const maxMagnitude = 1e6;

/** A row of the table of a stage: an input with its controls, and its slope by each method. */
export interface InputRow {
  node: HTMLElement;
  show(compared: SlopeComparison, isChosen: boolean): void;
  /** Shows the adjoint that the kernel computes, compared with that of the CPU reference. */
  showKernel(compared: SlopeComparison): void;
}

/**
 * Returns the row of an input.
 * @param group the name that the radio buttons of a table share
 * @param choose called when the input is chosen, with its value if that changes
 * @param wrong called with the error of a typed number, and with "" once there is none
 */
export function inputRow(
  { name, symbol, formula, low, high, constraint }: StageInput,
  group: string,
  value: number,
  things: string[],
  choose: (value?: number) => void,
  wrong: (sentence: string) => void,
): InputRow {
  const id = uniqueId("input");
  const isAllowed = (number: number) => constraint?.allows(number) ?? true;
  const take = (number: number) => {
    wrong("");
    box.removeAttribute("aria-invalid");
    slider.ariaValueText = inputText(number);
    choose(number);
  };
  const readBox = () => {
    const typed = Number(box.value.trim().replace("−", "-") || Number.NaN);
    const isNear = !(Math.abs(typed) > maxMagnitude);
    const isValid = Number.isFinite(typed) && isNear && isAllowed(typed);
    box.toggleAttribute("aria-invalid", !isValid);
    const requirement = isNear ? `a number${constraint ? ` ${constraint.text}` : ""}` : "within a million of zero";
    if (!isValid) return wrong(`“${box.value}” is not a valid ${name}: it must be ${requirement}.`);
    slider.valueAsNumber = typed;
    take(typed);
  };
  const readSlider = () => {
    if (!isAllowed(slider.valueAsNumber)) return;
    box.value = inputText(slider.valueAsNumber);
    take(slider.valueAsNumber);
  };
  const onfocus = () => choose();
  const radio = html`<input type="radio" id=${id} name=${group} onchange=${onfocus}>` as HTMLInputElement;
  const box =
    html`<input type="text" inputmode="decimal" autocomplete="off" value=${inputText(value)} aria-label=${name}
    ${{ onfocus, onchange: readBox }}>` as HTMLInputElement;
  const slider = html`<input type="range" step="any" min=${low} max=${high} value=${value} aria-label="${name}, slider"
    aria-valuetext=${inputText(value)} ${{ onfocus, oninput: readSlider }}>` as HTMLInputElement;
  const formulaNode = html`<span class="input-formula" aria-label="its adjoint is ${mathWords(formula)}">
    ${mathText(`~${symbol}`)} = ${mathText(formula)}</span>`;
  const [adjoint, difference, kernel, error] = ["adjoint", "difference", "WGSL", "error"].map(
    (head) => html`<td class="number" data-head=${head}>`,
  );
  const onclick = ({ target }: Event) => target === box || target === slider || choose();
  const node = html`<tr onclick=${onclick}>
    <th scope="row">${radio}<label for=${id}>${mathText(symbol)}<span>${name}</span></label>${formulaNode}</th>
    <td class="input-value">${slider}${box}</td>${[adjoint, difference, kernel, error]}</tr>`;
  return {
    node: linkThings(node, ...things),
    show(compared, isChosen) {
      setText(adjoint, numberText(compared.adjoint, 5));
      setText(difference, numberText(compared.difference, 5));
      setText(error, `${differenceText(compared.relativeError)} ${compared.agrees ? "✓" : "✗"}`);
      error.classList.toggle("not-agreeing", !compared.agrees);
      setText(kernel, "–");
      radio.checked = isChosen;
      node.classList.toggle("chosen", isChosen);
    },
    showKernel(compared) {
      setText(kernel, numberText(compared.adjoint, 5));
      kernel.title = `${differenceText(compared.relativeError)} from the adjoint in float64`;
    },
  };
}

function inputText(value: number): string {
  return value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(4) : String(Number(value.toPrecision(6)));
}
