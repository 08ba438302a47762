import type { Image, Size } from "../../../engine/image/image.js";

/** A filled ellipse: its centre, half axes and rotation in degrees, in pixels. */
interface Spot {
  center: [x: number, y: number];
  radii: [along: number, across: number];
  angle: number;
  color: [red: number, green: number, blue: number];
}

/** The size of the drawn targets in pixels. */
const drawnSize = { width: 32, height: 32 };

/** Returns a leaf on white. */
export function leafTarget(): Image {
  return drawSpots(drawnSize, [{ center: [20, 12], radii: [9.5, 4.5], angle: -38, color: [0.46, 0.7, 0.53] }]);
}

/** Returns two dots on white. */
export function dotsTarget(): Image {
  return drawSpots(drawnSize, [
    { center: [10, 11], radii: [5, 5], angle: 0, color: [0.5, 0.6, 0.85] },
    { center: [22, 21], radii: [5, 5], angle: 0, color: [0.5, 0.6, 0.85] },
  ]);
}

/** Samples of a pixel along each side. */
const samples = 4;

/** Draws spots on white, each pixel by its covered part. */
function drawSpots({ width, height }: Size, spots: readonly Spot[]): Image {
  const data = new Uint8ClampedArray(4 * width * height).fill(255);
  for (const { center, radii, angle, color } of spots) {
    const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
    for (let pixel = 0; pixel < width * height; pixel++) {
      let covered = 0;
      for (let sample = 0; sample < samples ** 2; sample++) {
        const dx = (pixel % width) + ((sample % samples) + 0.5) / samples - 0.5 - center[0];
        const dy = Math.floor(pixel / width) + (Math.floor(sample / samples) + 0.5) / samples - 0.5 - center[1];
        covered += Number(Math.hypot((dx * cos + dy * sin) / radii[0], (dy * cos - dx * sin) / radii[1]) < 1);
      }
      const part = covered / samples ** 2;
      for (let channel = 0; channel < 3; channel++) data[4 * pixel + channel] *= 1 - part * (1 - color[channel]);
    }
  }
  return { width, height, data };
}
