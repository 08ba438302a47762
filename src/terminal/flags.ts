import { ConfigError } from "../engine/config.js";
import type { Size } from "../engine/image/image.js";
import { inRange } from "../engine/quoted.js";
import type { Rect } from "../engine/regions/plan.js";

/** Returns the flag of a field: --learning-rate for learningRate. */
export function flagOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Returns a whole number from 1 to a billion, for flags that are not config fields.
 * @throws ConfigError that names the flag by `field`
 */
export function checkCount(field: string, value: number | string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 1e9) return value;
  throw new ConfigError(field, value, `a whole number ${inRange(1, 1e9)}`);
}

/**
 * Returns a number above 0, for flags that are not config fields.
 * @throws ConfigError that names the flag by `field`
 */
export function checkPositive(field: string, value: number | string): number {
  if (typeof value === "number" && value > 0 && Number.isFinite(value)) return value;
  throw new ConfigError(field, value, "a number above 0");
}

/**
 * Parses a size in pixels, such as 640x480.
 * @throws ConfigError
 */
export function parseSize(text: string): Size {
  const [, width, height] = (/^(\d{1,6})x(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (width && height) return { width, height };
  throw new ConfigError("size", text, "a width and a height in whole pixels, such as 640x480");
}

/**
 * Parses a crop of an image, such as 9000,4000,800x600: left, top, width and height in pixels.
 * @throws ConfigError
 */
export function parseCrop(text: string): Rect {
  const [, x, y, width, height] = (/^(\d{1,9}),(\d{1,9}),(\d{1,9})x(\d{1,9})$/.exec(text) ?? []).map(Number);
  if (width && height) return { x, y, width, height };
  throw new ConfigError("crop", text, "left, top, width and height in whole pixels, such as 100,50,640x480");
}

/** @throws ConfigError if a crop is not within its image */
export function checkCrop(crop: Rect, { width, height }: Size): void {
  if (crop.x + crop.width <= width && crop.y + crop.height <= height) return;
  const text = `${crop.x},${crop.y},${crop.width}x${crop.height}`;
  throw new ConfigError("crop", text, `within the ${width}x${height} pixels of the image`);
}

/**
 * Returns a path as it was typed.
 * @throws ConfigError if it is empty, such as an unset variable of a shell
 */
export function checkPath(text: string): string {
  if (text.trim() !== "") return text;
  throw new ConfigError("out", text, "a path");
}
