import type { LineStyle } from "./runLines.js";

const colors = 6;
/** Told apart without any colour; as many as there are colours, so that a seventh run differs from the first in width. */
const dashes = [undefined, "7 3", "3 3", "9 3 2 3", "1 3", "14 4"];

/**
 * How the run at a place among several is drawn, everywhere: by colour and by dash.
 * @param highlighted whether it stands out; undefined where no run does
 */
export function runStyle(index: number, highlighted?: boolean): LineStyle {
  const i = index % colors;
  return {
    stroke: `var(--run-${i + 1})`,
    strokeWidth: (highlighted ? 3 : 1.75) + Math.floor(index / colors),
    ...(dashes[i] && { strokeDasharray: dashes[i] }),
    ...(highlighted === false && { strokeOpacity: 0.35 }),
  };
}
