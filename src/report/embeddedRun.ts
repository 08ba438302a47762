import { evenlySpacedIndices } from "../engine/evenlySpaced.js";
import { readMetrics } from "../engine/files/arrow.js";
import type { RunDescription } from "../engine/files/runDescription.js";
import type { Image } from "../engine/image/image.js";
import type { Report } from "./report.js";

/** A run as embedded in a one-file report: JSON, with bytes in base64. */
export interface EmbeddedRun {
  name: string;
  description: RunDescription;
  /** metrics.arrow, possibly with fewer rows. */
  metrics: string;
  /** Number of embedded blobs: all, or evenly spaced ones. */
  blobs: number;
  /** Raw parameters of those blobs, field-major, as `toPlanes` returns them. */
  parameters: string;
  gradients: { step: number; values: string };
  /** Steps with a frame. */
  film: readonly number[];
}

/** An embedded run's images. The document contains them as img elements, from which its script reads them. */
export interface EmbeddedImages<T = Image> {
  target: T;
  render: T;
  film: T[];
}

/** The data of a one-file report. */
export interface EmbeddedReports {
  runs: EmbeddedRun[];
  /** The file of a sweep, of which the run is the best, in base64. */
  sweep?: string;
}

/** Decodes an embedded run. */
export function reportOf(embedded: EmbeddedRun, { target, render, film }: EmbeddedImages): Report {
  const { name, description, gradients } = embedded;
  return {
    name,
    description,
    rows: readMetrics(bytesOf(embedded.metrics)).rows,
    blobs: evenlySpacedIndices(description.config.blobs, embedded.blobs),
    parameters: fromPlanes(bytesOf(embedded.parameters)),
    gradients: { step: gradients.step, values: fromPlanes(bytesOf(gradients.values)) },
    target,
    render,
    film: embedded.film.map((step, i) => ({ step, image: film[i] })),
  };
}

/** Returns the first bytes of all numbers, then the second ones, and so on. Exponents next to each other compress. */
export function toPlanes({ buffer, byteOffset, byteLength, length }: Float32Array): Uint8Array {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return bytes.map((_, i) => bytes[4 * (i % length) + Math.floor(i / length)]);
}

function fromPlanes(planes: Uint8Array): Float32Array {
  const length = planes.length / 4;
  return new Float32Array(planes.map((_, i) => planes[(i % 4) * length + Math.floor(i / 4)]).buffer);
}

/** Decodes base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
