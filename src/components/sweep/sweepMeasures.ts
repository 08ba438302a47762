import type { SweptResult } from "../../engine/sweep.js";
import { rate } from "../format.js";

/** A number by which runs are compared. */
export interface SweepMeasure {
  name: string;
  /** With its unit, for legend and axis. */
  label: string;
  of: (result: SweptResult) => number;
  text: (value: number) => string;
  /** Whether equal factors are equal distances. */
  isLog?: boolean;
}

const digits = (value: number) => (value >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3))));

export const sweepMeasures: readonly SweepMeasure[] = [
  { name: "PSNR", label: "PSNR, decibels", of: ({ psnr }) => psnr, text: (value) => value.toFixed(2) },
  {
    name: "loss",
    label: "loss, squared error per pixel",
    of: ({ loss }) => loss,
    text: (value) => String(Number(value.toPrecision(3))),
    isLog: true,
  },
  { name: "seconds", label: "training time, seconds", of: ({ seconds }) => seconds, text: digits },
  { name: "steps/s", label: "steps a second", of: ({ stepsPerSecond }) => stepsPerSecond, text: rate },
];
