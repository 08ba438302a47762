import { ConfigError } from "../engine/config.js";
import type { Size } from "../engine/image/image.js";
import type { Rect } from "../engine/regions/plan.js";

/** How the command line names a field of the config: learningRate is --learning-rate; the picture and the config are no flags. */
export function flagOf(field: string): string {
  if (field === "image" || field === "config") return `The ${field}`;
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * A whole number, at least 1, of a flag that is no field of the config.
 * @throws ConfigError that names the flag by `field`
 */
export function checkCount(field: string, value: number | string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 1e9) return value;
  throw new ConfigError(field, value, "a whole number from 1 to 1000000000");
}

/**
 * A number above 0, of a flag that is no field of the config.
 * @throws ConfigError that names the flag by `field`
 */
export function checkPositive(field: string, value: number | string): number {
  if (typeof value === "number" && value > 0 && Number.isFinite(value)) return value;
  throw new ConfigError(field, value, "a number above 0");
}

/**
 * A size in pixels, such as 640x480.
 * @throws ConfigError
 */
export function parseSize(text: string): Size {
  const [, width, height] = (/^(\d{1,6})x(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (width && height) return { width, height };
  throw new ConfigError("size", text, "a width and a height in whole pixels, such as 640x480");
}

/**
 * A part of a picture, such as 9000,4000,800x600: its left, its top, its width and its height in pixels.
 * @throws ConfigError
 */
export function parseCrop(text: string): Rect {
  const [, x, y, width, height] = (/^(\d{1,9}),(\d{1,9}),(\d{1,9})x(\d{1,9})$/.exec(text) ?? []).map(Number);
  if (width && height) return { x, y, width, height };
  throw new ConfigError("crop", text, "left, top, width and height in whole pixels, such as 100,50,640x480");
}

/** @throws ConfigError where a part is not within its picture */
export function checkCrop(text: string, crop: Rect, { width, height }: Size): void {
  if (crop.x + crop.width <= width && crop.y + crop.height <= height) return;
  throw new ConfigError("crop", text, `within the picture's ${width}x${height} pixels`);
}

/**
 * A path as it was typed.
 * @throws ConfigError if it is empty, as that of a shell's unset variable
 */
export function checkPath(text: string): string {
  if (text.trim() !== "") return text;
  throw new ConfigError("out", text, "a path");
}
