import { html } from "htl";
import { allowPinning, linkThings, pin, thingName } from "../figures/pointing.js";
import { lineSwatch, runStyle } from "../runs/runStyle.js";
import type { ComparedRun } from "./comparedRun.js";

/** Returns a span that is linked to a run. */
export function runSpan(name: string, ...children: (Node | string)[]): HTMLElement {
  return linkThings(html`<span>${children}</span>`, thingName("run", name));
}

/** Returns a run's name with its line style. */
export function runLabel(position: number, name: string): HTMLElement {
  return runSpan(name, lineSwatch(runStyle(position - 1)), " ", name);
}

/** Returns the key of colours and dashes. A click pins a run. */
export function runKey(runs: readonly ComparedRun[]): HTMLElement {
  allowPinning("run");
  const buttons = runs.map(({ name }, i) => {
    const thing = thingName("run", name);
    const button = html`<button type="button" class="quiet" title=${name} aria-pressed="false" onclick=${() => pin(thing)}>
      ${lineSwatch(runStyle(i))}<span>${name}</span>
    </button>`;
    return linkThings(button, thing);
  });
  return html`<div class="compare-key" role="group" aria-label="Compared runs">
    ${buttons.length > 0 ? buttons : "No run is selected. Select one in the table."}
  </div>`;
}
