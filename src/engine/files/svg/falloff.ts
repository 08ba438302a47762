import { deviations } from "../../model/bounds.js";

/** A stop of a radial gradient over a blob's support: the offset 0..1, and e^(−r²/2) there. */
export interface GradientStop {
  offset: number;
  falloff: number;
}

const falloffAt = (radius: number) => Math.exp(-0.5 * radius * radius);

/** Number of samples of the falloff. */
const samples = 8000;

/**
 * Returns the stops of the best piecewise linear approximation of the Gaussian with so many segments. Their density is
 * proportional to the square root of the second derivative.
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

/** Returns the largest distance between the Gaussian and the lines between stops. */
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
