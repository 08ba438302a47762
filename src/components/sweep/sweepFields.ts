import { type FieldName, fieldOf, fields } from "../../engine/fields.js";
import type { SweptValue } from "../../engine/sweep/sweptValues.js";
import { rate } from "../page/format.js";

/** A field's label with its unit, for an axis. */
export function axisLabel(field: FieldName): string {
  const { label, unit } = fieldOf(field);
  return unit ? `${label}, ${unit}` : label;
}

/** A value with its field, for people: "Learning rate 0.01". */
export function valueText(field: FieldName, value: SweptValue): string {
  return `${fields[field].label} ${shownValue(value)}`;
}

/** A value as it stands beside an axis. */
export function shownValue(value: SweptValue): string {
  return typeof value === "number" ? String(value) : value.replace(/^(\d+)x(\d+)$/, "$1 × $2");
}

const formatDigits = (value: number) => (value >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3))));

/** The numbers by which runs are compared: with their units, as they are written, and whether equal factors are equal distances. */
export const measures = {
  psnr: { label: "PSNR, decibels", text: (value: number) => value.toFixed(2) },
  loss: {
    label: "loss, squared error per pixel",
    text: (value: number) => String(Number(value.toPrecision(3))),
    type: "log",
  },
  seconds: { label: "training time, seconds", text: formatDigits },
  stepsPerSecond: { label: "steps a second", text: rate },
} as const;
