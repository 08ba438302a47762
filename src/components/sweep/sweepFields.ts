import { type FieldName, fieldOf, fields } from "../../engine/fields.js";
import type { SweptValue } from "../../engine/sweep/sweptValues.js";
import { rate } from "../page/format.js";

/** Returns a field's label with its unit, for an axis. */
export function axisLabel(field: FieldName): string {
  const { label, unit } = fieldOf(field);
  return unit ? `${label}, ${unit}` : label;
}

/** Returns a value with its field's label, such as "Learning rate 0.01". */
export function valueText(field: FieldName, value: SweptValue): string {
  return `${fields[field].label} ${shownValue(value)}`;
}

/** Returns a value as text for an axis. */
export function shownValue(value: SweptValue): string {
  return typeof value === "number" ? String(value) : value.replace(/^(\d+)x(\d+)$/, "$1 × $2");
}

const formatDigits = (value: number) => (value >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3))));

/** A measure by which runs are compared: the label of its axis, the text of a value, and the type of the scale. */
interface MeasureAxis {
  label: string;
  text(value: number): string;
  type?: "log";
}

export type Measure = "psnr" | "loss" | "seconds" | "stepsPerSecond";

export const measures: Record<Measure, MeasureAxis> = {
  psnr: { label: "PSNR, decibels", text: (value) => value.toFixed(2) },
  loss: {
    label: "loss, squared RGB error per pixel",
    text: (value) => String(Number(value.toPrecision(3))),
    type: "log",
  },
  seconds: { label: "training time, seconds", text: formatDigits },
  stepsPerSecond: { label: "steps per second", text: rate },
};
