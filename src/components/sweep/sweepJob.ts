import { changedFields, completeConfig, type TrainConfig } from "../../engine/config.js";
import { withPresentNames } from "../../engine/oldNames.js";
import type { PartialConfig } from "../../engine/sweep/sweep.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { type Link, readLink } from "../training/link.js";
import { presetStart } from "../training/startingJob.js";

interface SweepStart {
  config: Record<string, unknown>;
  /** The longer side of the image, in pixels. */
  longest: number;
  /** The swept values by field, as text. */
  vary: Record<string, string>;
}

/** Returns the default sweep, which takes less than a minute on the given kind of engine. */
function smallSweep(kind: BrowserEngine["kind"]): SweepStart {
  if (kind === "gpu") {
    const vary = { learningRate: "0.002,0.005,0.01,0.02", blobs: "512,2048,8192" };
    return { config: { steps: 1000, blobs: 2048 }, longest: 256, vary };
  }
  const vary = { learningRate: "0.003,0.01,0.03", blobs: "50,100,200" };
  return { config: { steps: 100, blobs: 100 }, longest: 64, vary };
}

/** A sweep in the page's address: the lab's settings, and `vary=learningRate=0.01,0.1` for each swept field. */
interface SweepLink extends Link {
  /** The swept values by field, as text. */
  vary: Record<string, string>;
  /** The number of random combinations, as text. */
  random?: string;
  /** The key of the reader's own image, if it is one. */
  own?: string;
}

/** Returns the sweep of an address's query, which is read as the lab's, or the default sweep. */
export function readSweepLink(search: string, kind: BrowserEngine["kind"]): SweepLink {
  const query = new URLSearchParams(search);
  const varied = query.getAll("vary").map((text) => /^([^=]*)=(.*)$/.exec(text)?.slice(1) ?? [text, ""]);
  const own = query.get("own") ?? undefined;
  const random = query.get("random") ?? undefined;
  for (const key of ["vary", "own", "random"]) query.delete(key);
  const link = readLink(query.toString());
  const start = smallSweep(kind);
  const isEmpty = Object.keys(link.config).length === 0 && !link.picture && !link.size && !own;
  return {
    ...link,
    own,
    random,
    ...(isEmpty && varied.length === 0 && { config: start.config, size: String(start.longest) }),
    vary: varied.length > 0 ? withPresentNames(Object.fromEntries(varied)) : start.vary,
  };
}

/** Returns a query of `writeLink` with a sweep added. */
export function writeSweepLink(
  query: string,
  vary: object,
  { own, random }: { own?: string; random?: number },
): string {
  const all = new URLSearchParams(query);
  if (own) all.set("own", own);
  if (random) all.set("random", String(random));
  for (const [field, values] of Object.entries(vary)) all.append("vary", `${field}=${values}`);
  return `?${all}`;
}

/** Fields of the size of a job and of its pipeline, which do not depend on the preset. */
const sizeFields = ["blobs", "steps", "tile", "gaussiansPerBlock", "pipeline", "seed"] as const;

/**
 * Returns the smallest set of fields that determines the configuration, without the swept ones. Defaults that depend on a
 * swept field, such as those of a preset, so follow each run's value.
 */
export function givenFields(config: TrainConfig, start: Partial<TrainConfig>, swept: readonly string[]): PartialConfig {
  const base = swept.includes("preset") ? presetStart(start, config.preset) : {};
  const changed = changedFields(config, completeConfig({ ...base, preset: config.preset }));
  const size = Object.fromEntries(sizeFields.map((field) => [field, config[field]]));
  const all = Object.entries<unknown>({ preset: config.preset, ...size, ...changed });
  return Object.fromEntries(all.filter(([field]) => !swept.includes(field)));
}
