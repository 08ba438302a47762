import * as Inputs from "observablehq:stdlib/inputs";

/** Returns `Inputs.range` with an accessible name on its slider too. */
export function range(extent?: [number, number], options: Inputs.Options = {}): Inputs.Input<number> {
  const form = Inputs.range(extent, options);
  const slider = form.querySelector<HTMLInputElement>('input[type="range"]')!;
  const label = form.querySelector("label")?.textContent;
  if (label) slider.ariaLabel = `${label}, slider`;
  return form;
}
