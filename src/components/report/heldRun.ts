import { readMetrics } from "../../engine/arrow.js";
import type { RunDescription } from "../../engine/runDescription.js";
import { decodeBitmap } from "../../host/decodeBitmap.js";
import { evenChoice } from "../runs/evenChoice.js";
import type { Report } from "./report.js";

/** A run as a document of one file holds it: as JSON, its bytes in base64. */
export interface HeldRun {
  name: string;
  description: RunDescription;
  /** metrics.arrow, maybe with fewer rows. */
  metrics: string;
  /** How many blobs are held: all, or an even choice. */
  blobs: number;
  /** float32, raw, field-major, of those blobs. */
  parameters: string;
  gradients: { step: number; values: string };
  /** PNG files. */
  target: string;
  render: string;
  film: { step: number; png: string }[];
}

/** What a document of one file holds. */
export interface HeldReports {
  runs: HeldRun[];
  /** Every kernel's text by its path. */
  shaders: [path: string, text: string][];
}

/** Reads a held run. */
export async function reportOf(held: HeldRun): Promise<Report> {
  const { name, description, gradients } = held;
  const [target, render, ...frames] = await Promise.all(
    [held.target, held.render, ...held.film.map(({ png }) => png)].map((png) => decodeBitmap(new Blob([bytesOf(png)]))),
  );
  return {
    name,
    description,
    rows: readMetrics(bytesOf(held.metrics)).rows,
    blobs: evenChoice(description.config.blobs, held.blobs),
    parameters: new Float32Array(bytesOf(held.parameters).buffer),
    gradients: { step: gradients.step, values: new Float32Array(bytesOf(gradients.values).buffer) },
    target,
    render,
    film: held.film.map(({ step }, i) => ({ step, image: frames[i] })),
  };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
