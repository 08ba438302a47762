import { completeConfig } from "../../../engine/config.js";
import type { Size } from "../../../engine/image/image.js";
import { highestCorrelation, lowestVariance } from "../../../engine/model/blob.js";
import type { Ellipse } from "../ellipseGrips.js";
import { type TileScene, tileScene } from "./tileScene.js";

/** A blob to be moved by hand: lengths in pixels, colour and opacity 0..1. */
export interface HandBlob extends Ellipse {
  color: [red: number, green: number, blue: number];
  opacity: number;
}

/** The size of the image in pixels. */
export const handSize = { width: 64, height: 64 };

/** The limits of `length` and `width`, and how far outside the image a centre may be, in pixels. */
export const handLimits = { thinnest: 0.5, longest: 16, outside: 8 };

/** Returns nine blobs, some with a box that meets tiles outside of their support. */
export function handBlobs(): HandBlob[] {
  const blob = (x: number, y: number, length: number, width: number, angle: number, ...color: HandBlob["color"]) => {
    return { x, y, length, width, angle, color, opacity: 0.85 };
  };
  return [
    blob(20, 22, 5.5, 1.2, 38, 0.35, 0.62, 0.95),
    blob(44, 15, 2.4, 2.2, 0, 0.95, 0.5, 0.22),
    blob(50, 44, 4.5, 0.8, -52, 0.25, 0.78, 0.6),
    blob(13, 47, 3.2, 1.6, -20, 0.88, 0.5, 0.75),
    blob(33, 33, 1.4, 1.2, 15, 0.9, 0.76, 0.3),
    blob(31, 54, 4, 0.7, 8, 0.4, 0.75, 0.95),
    blob(57, 27, 2.6, 0.9, 75, 0.95, 0.62, 0.4),
    blob(7, 10, 1.8, 1, 60, 0.5, 0.85, 0.6),
    blob(40, 37, 3.4, 0.6, 45, 0.7, 0.6, 0.98),
  ];
}

/** Returns the raw parameters of a blob in the `direct` parameterization. */
export function directParameters({ x, y, length, width, angle, color, opacity }: HandBlob): number[] {
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const varianceX = (length * cos) ** 2 + (width * sin) ** 2;
  const varianceY = (length * sin) ** 2 + (width * cos) ** 2;
  const correlation = ((length ** 2 - width ** 2) * cos * sin) / Math.sqrt(varianceX * varianceY);
  const logDeviation = (variance: number) => 0.5 * Math.log(variance - lowestVariance);
  const rawCorrelation = Math.atanh(correlation / highestCorrelation);
  const logit = Math.log(opacity / (1 - opacity));
  return [x, y, logDeviation(varianceX), logDeviation(varianceY), rawCorrelation, ...color, logit];
}

/** Returns the raw parameters of the blobs, field-major. */
function handParameters(blobs: HandBlob[]): Float32Array {
  const raw = blobs.map(directParameters);
  return Float32Array.from(
    { length: 9 * raw.length },
    (_, index) => raw[index % raw.length][Math.floor(index / raw.length)],
  );
}

/** Lays blobs out on the tiles of their image, some at a time. */
export function handTiles(
  blobs: HandBlob[],
  tile: [number, number],
  size: Size = handSize,
  source: TileScene["source"] = "hand",
): Generator<void, TileScene> {
  const config = completeConfig({ blobs: blobs.length, parameterization: "direct", background: "black" });
  return tileScene(config, size, handParameters(blobs), tile, source);
}
