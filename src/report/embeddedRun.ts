import { evenlySpacedIndices } from "../engine/evenlySpaced.js";
import { readMetrics } from "../engine/files/arrow.js";
import type { RunDescription } from "../engine/files/runDescription.js";
import type { Image } from "../engine/image/image.js";
import type { Report } from "./report.js";

/** A run as a document of one file holds it: as JSON, its bytes in base64. */
export interface EmbeddedRun {
  name: string;
  description: RunDescription;
  /** metrics.arrow, maybe with fewer rows. */
  metrics: string;
  /** How many blobs are held: all, or an even choice. */
  blobs: number;
  /** float32, raw, field-major, of those blobs. */
  parameters: string;
  gradients: { step: number; values: string };
  /** The steps of which there is a picture. */
  film: readonly number[];
}

/** A held run's pictures. The document shows each as an image, and its script takes them from there. */
export interface EmbeddedImages<Picture = Image> {
  target: Picture;
  render: Picture;
  film: Picture[];
}

/** What a document of one file holds. */
export interface EmbeddedReports {
  runs: EmbeddedRun[];
  /** Every kernel's text by its path. */
  shaders: [path: string, text: string][];
}

/** Reads a held run. */
export function reportOf(embedded: EmbeddedRun, { target, render, film }: EmbeddedImages): Report {
  const { name, description, gradients } = embedded;
  return {
    name,
    description,
    rows: readMetrics(bytesOf(embedded.metrics)).rows,
    blobs: evenlySpacedIndices(description.config.blobs, embedded.blobs),
    parameters: new Float32Array(bytesOf(embedded.parameters).buffer),
    gradients: { step: gradients.step, values: new Float32Array(bytesOf(gradients.values).buffer) },
    target,
    render,
    film: embedded.film.map((step, i) => ({ step, image: film[i] })),
  };
}

/** What base64 stands for. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
