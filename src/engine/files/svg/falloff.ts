import { deviations } from "../../model/bounds.js";

/** A stop of a gradient whose radius is a blob's support: how far out, 0..1, and e^(−r²/2) there. */
export interface GradientStop {
  offset: number;
  falloff: number;
}

const falloffAt = (radius: number) => Math.exp(-0.5 * radius * radius);

/** Points at which the curve of the falloff is looked at. */
const samples = 8000;

/**
 * Stops between which straight lines come as near to the Gaussian as so many can: closer together where it bends more,
 * as the square root of its second derivative.
 */
export function falloffStops(segments: number): GradientStop[] {
  const cumulativeBend = [0];
  for (let k = 0; k < samples; k++) {
    const radius = (deviations * (k + 0.5)) / samples;
    cumulativeBend.push(cumulativeBend[k] + Math.sqrt(Math.abs(radius * radius - 1) * falloffAt(radius)));
  }
  const stops: GradientStop[] = [];
  for (let k = 0; stops.length <= segments && k <= samples; k++) {
    if (cumulativeBend[k] < (stops.length / segments) * cumulativeBend[samples] * (1 - 1e-12)) continue;
    const offset = round(k / samples, 4);
    stops.push({ offset, falloff: round(falloffAt(deviations * offset), 4) });
  }
  return stops;
}

/** How far the straight lines between stops are from the Gaussian at most. */
export function falloffDeviation(stops: GradientStop[]): number {
  let largest = 0;
  let segment = 0;
  for (let k = 0; k <= samples; k++) {
    const offset = k / samples;
    while (segment + 2 < stops.length && stops[segment + 1].offset < offset) segment++;
    const [from, to] = [stops[segment], stops[segment + 1]];
    const fraction = (offset - from.offset) / (to.offset - from.offset);
    const interpolated = from.falloff + fraction * (to.falloff - from.falloff);
    largest = Math.max(largest, Math.abs(interpolated - falloffAt(deviations * offset)));
  }
  return largest;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
