import * as Inputs from "observablehq:stdlib/inputs";
import { html } from "htl";
import { type FieldName, fieldOf, typicalValues } from "../../engine/fields.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { breakable } from "../inputs/field.js";

/** Returns an input with a value. */
export type MakeInput = (value: never) => HTMLElement;

/** Returns the values of a field that an engine supports, or typical values. */
function offeredValues(name: FieldName, engine: BrowserEngine): readonly (number | string)[] {
  return name === "pipeline" ? engine.pipelines : typicalValues(name);
}

/** Returns the input of a field: a slider, or a list of values. */
export function fieldInput(name: FieldName, engine: BrowserEngine, value: number | string): HTMLElement {
  const field = fieldOf(name);
  const label = html`<span>${breakable(field.label)}</span>`;
  if (!("slider" in field)) {
    const auto = field.kind === "power" ? ["auto"] : [];
    return Inputs.select(new Set([...auto, ...offeredValues(name, engine), value]), { label, value });
  }
  const [low, high] = field.slider;
  return Inputs.range([Math.min(low, value as number), Math.max(high, value as number)], {
    label,
    value: value as number,
    ...(field.scale === "log" && { transform: Math.log }),
    ...(field.kind === "integer" ? { step: 1 } : { format: (number: number) => String(Number(number.toPrecision(3))) }),
  });
}
