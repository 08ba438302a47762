import { ConfigError } from "../../engine/config.js";
import { type FieldName, fields, formatField, typicalValues } from "../../engine/fields.js";
import { withPresentNames } from "../../engine/oldNames.js";
import type { Sweep, SweptField } from "../../engine/sweep/sweep.js";
import { parseValues } from "../../engine/sweep/sweptValues.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { type Link, readLink } from "../training/link.js";

/** The sweep of an address without settings, which takes some seconds. */
const smallSweeps = {
  gpu: { steps: 1000, longest: 256, vary: { learningRate: "0.002,0.005,0.01,0.02", blobs: "512,2048,8192" } },
  cpu: { steps: 150, longest: 96, vary: { learningRate: "0.003,0.01,0.03", blobs: "100,200,400" } },
};

/**
 * Returns the sweep of an address's query: the lab's settings, and `vary=learningRate=0.01,0.1` for the rows and for the
 * columns. Typical values replace what the page cannot train, such as the ranges of earlier versions.
 */
export function readSweepLink(search: string, kind: BrowserEngine["kind"]): Link & { vary: SweptField[] } {
  const query = new URLSearchParams(search);
  const varied = query.getAll("vary").map((text) => text.split("=", 2));
  for (const removed of ["vary", "random", "halving", "own"]) query.delete(removed);
  const link = readLink(String(query));
  const { steps, longest, vary } = smallSweeps[kind === "gpu" ? "gpu" : "cpu"];
  const isEmpty = varied.length === 0 && !link.picture && !link.size && Object.keys(link.config).length === 0;
  const given = withPresentNames(Object.fromEntries(varied)) as Record<string, string>;
  // A sweep of one setting has one column.
  const others = varied.length === 1 && !("seed" in given) ? { seed: "1" } : vary;
  const swept = Object.entries({ ...given, ...others, ...given }).filter(([name]) => Object.hasOwn(fields, name));
  return {
    ...link,
    ...(isEmpty && { config: { steps }, size: String(longest) }),
    vary: swept.slice(0, 2).map(([field, text]) => sweptField(field as FieldName, text)),
  };
}

/** Returns a field with the values of a text, or with typical ones. */
export function sweptField(field: FieldName, text = ""): SweptField {
  try {
    return { field, values: parseValues(field, text) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { field, values: typicalValues(field).slice(0, 3) };
  }
}

/** Returns the command that trains a sweep on an image file. */
export function sweepCommand({ config, vary }: Sweep, file: string, longest: number): string {
  const option = (field: string) => `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  const swept = vary.map(({ field, values }) => `--vary ${option(field).slice(2)}=${values}`);
  const options = [...swept, ...given.map(([field, value]) => `${option(field)} ${formatField(value)}`)];
  return `npx splatbook sweep ${JSON.stringify(file)} --longest ${longest} ${options.join(" ")}`;
}
