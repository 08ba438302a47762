import { alphaBlend, attenuationOf, lossBackward, lowestTransmittance, type PixelState } from "../blend.js";
import { highestAlpha } from "../blob.js";
import { type BinnedJob, falloffAt, type Gathered, pixelsOf, type Rasterized, subtile, type Vector } from "./lists.js";

/** Blends each tile's list into its pixels, and computes their loss. CPU reference of shaders/binned/rasterize.wgsl. */
export function rasterize(job: BinnedJob, { leftBy: _, ...input }: Gathered): Rasterized {
  const { model, background, target, band, segmentLength } = job;
  const attenuation = attenuationOf(model.blend);
  const ceiling = model.blend === "over" ? highestAlpha : Number.POSITIVE_INFINITY;
  const perSubtile = subtile[0] * subtile[1];
  const weight = 1 / (target.width * target.height);
  const segmentStates: Rasterized["segmentStates"] = [];
  const pixels: Vector[] = [];
  const tileStatistics: Rasterized["tileStatistics"] = [];
  const vectorOf = ({ red, green, blue, transmittance }: PixelState): Vector => [red, green, blue, transmittance];
  for (const { tile, first, count, firstSegment } of input.tileLists) {
    const positions = pixelsOf(job, tile);
    // Pixels outside take no blob.
    const states = positions.map(({ isInside }) => {
      return { red: 0, green: 0, blue: 0, transmittance: Number(isInside), finalCount: 0 };
    });
    const isOpen = (state: PixelState) => state.transmittance >= lowestTransmittance;
    // The end of the entries that each subtile takes, in batches of as many as it has pixels.
    const ends = Array.from({ length: states.length / perSubtile }, () => count);
    for (let k = 0; k < count; k++) {
      if (k % segmentLength === 0)
        segmentStates[firstSegment + k / segmentLength] = { states: states.map(vectorOf), taken: [] };
      const { blob } = input.pixelBlobs[input.list[first + k].blob];
      for (const [p, { x, y }] of positions.entries()) {
        if (!isOpen(states[p])) continue;
        const falloff = falloffAt(blob, x - blob.centerX, y - blob.centerY);
        alphaBlend(states[p], blob, Math.min(ceiling, blob.opacity * falloff), attenuation);
      }
      if ((k + 1) % perSubtile > 0) continue;
      for (const [s, end] of ends.entries()) {
        const isClosed = !states.slice(s * perSubtile, (s + 1) * perSubtile).some(isOpen);
        if (isClosed) ends[s] = Math.min(end, k + 1);
      }
    }
    for (let start = 0; start < count; start += segmentLength)
      segmentStates[firstSegment + start / segmentLength].taken = ends.map((end) => Math.max(end - start, 0));
    let squaredError = 0;
    for (const [p, { x, y, isInside }] of positions.entries()) {
      const d = { red: 0, green: 0, blue: 0, transmittance: 0, finalCount: 0 };
      const state = states[p];
      if (isInside) {
        const at = 4 * ((band.top + y) * target.width + x);
        const targetColor = Array.from(target.data.subarray(at, at + 3), (level) => level / 255);
        squaredError += lossBackward(state, targetColor, background, weight, d);
      }
      const along = d.red * state.red + d.green * state.green + d.blue * state.blue;
      const rest = along + d.transmittance * state.transmittance;
      pixels[tile * positions.length + p] = [d.red, d.green, d.blue, rest];
    }
    tileStatistics[tile] = { squaredError, listLength: count };
  }
  return { ...input, segmentStates, pixels, tileStatistics };
}
