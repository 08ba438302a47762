import { allowedNames, type TrainConfig } from "../../engine/config.js";
import type { SweptValue } from "../../engine/sweep/sweptValues.js";
import { rate } from "../page/format.js";

/** A field of the config as a sweep shows it. */
export interface SweepField {
  label: string;
  /** What its numbers count. */
  unit?: string;
  typical: readonly SweptValue[];
}

const multiple = "times the learning rate";
const multiples = [0.1, 0.3, 1, 3, 10];
const shares = [0.1, 0.25, 0.5, 0.75, 1];

/** The fields that a sweep may change, those first that are asked for most. */
export const sweepFields: Record<keyof TrainConfig, SweepField> = {
  learningRate: {
    label: "Learning rate",
    unit: "raw units a step",
    typical: [0.001, 0.003, 0.01, 0.03, 0.1],
  },
  blobs: { label: "Blobs", typical: [50, 100, 200, 400, 1600, 8192, 40960] },
  gaussiansPerBlock: { label: "GAUSSIANS_PER_BLOCK", unit: "blobs", typical: [32, 64, 128, 256, 512, 1024] },
  tile: { label: "Tile", unit: "pixels", typical: ["4x4", "8x4", "8x8", "16x8", "16x16"] },
  pipeline: { label: "Pipeline", typical: allowedNames("pipeline") },
  steps: { label: "Steps", typical: [50, 100, 200, 500, 1000, 2000] },
  preset: { label: "Preset", typical: allowedNames("preset") },
  blend: { label: "Blend", typical: allowedNames("blend") },
  composite: { label: "Composite", typical: allowedNames("composite") },
  biasCorrection: { label: "Bias correction", typical: allowedNames("biasCorrection") },
  parameterization: { label: "Parameterization", typical: allowedNames("parameterization") },
  initializer: { label: "Initializer", typical: allowedNames("initializer") },
  schedule: { label: "Schedule", typical: allowedNames("schedule") },
  finalRate: { label: "Final rate", unit: "share of the learning rate", typical: [0.001, 0.01, 0.1, 1] },
  centerRate: { label: "Rate of the centres", unit: multiple, typical: multiples },
  varianceRate: { label: "Rate of the variances", unit: multiple, typical: multiples },
  correlationRate: { label: "Rate of the correlation", unit: multiple, typical: multiples },
  colorRate: { label: "Rate of the colours", unit: multiple, typical: multiples },
  opacityRate: { label: "Rate of the opacity", unit: multiple, typical: multiples },
  covarianceScale: { label: "Covariance scale", unit: "UV²", typical: [1e-4, 3e-4, 1e-3, 3e-3, 1e-2] },
  startShare: { label: "Start share", unit: "of the blobs", typical: shares },
  growEvery: { label: "Grow every", unit: "steps", typical: [25, 50, 100, 250] },
  growUntil: { label: "Grow until", unit: "share of the steps", typical: shares },
  plateau: { label: "Plateau", unit: "dB", typical: [0, 0.01, 0.05, 0.2] },
  seed: { label: "Seed", typical: [1, 2, 3, 4, 5] },
};

/** A field's label with its unit, for an axis. */
export function axisLabel(field: keyof TrainConfig): string {
  const { label, unit } = sweepFields[field];
  return unit ? `${label}, ${unit}` : label;
}

/** A value with its field, for people: "Learning rate 0.01". */
export function valueText(field: keyof TrainConfig, value: SweptValue): string {
  return `${sweepFields[field].label} ${shownValue(value)}`;
}

/** A value as it stands beside an axis. */
export function shownValue(value: SweptValue): string {
  return typeof value === "number" ? String(value) : value.replace(/^(\d+)x(\d+)$/, "$1 × $2");
}

const digits = (value: number) => (value >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3))));

/** The numbers by which runs are compared: with their units, as they are written, and whether equal factors are equal distances. */
export const measures = {
  psnr: { label: "PSNR, decibels", text: (value: number) => value.toFixed(2) },
  loss: {
    label: "loss, squared error per pixel",
    text: (value: number) => String(Number(value.toPrecision(3))),
    type: "log",
  },
  seconds: { label: "training time, seconds", text: digits },
  stepsPerSecond: { label: "steps a second", text: rate },
} as const;
