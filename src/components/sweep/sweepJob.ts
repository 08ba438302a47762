import { completeConfig, type TrainConfig } from "../../engine/config.js";
import { withPresentNames } from "../../engine/oldNames.js";
import type { PartialConfig } from "../../engine/sweep/sweep.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { changedFields, type Link, readLink } from "../training/link.js";
import { presetStart } from "../training/startingJob.js";

interface SweepStart {
  config: Record<string, unknown>;
  /** Pixels of the picture's longer side. */
  longest: number;
  /** The values' text, by field. */
  vary: Record<string, string>;
}

/** What the page begins with where its address says nothing: done within a minute, on the engine that there is. */
function smallSweep(kind: BrowserEngine["kind"]): SweepStart {
  if (kind === "gpu") {
    const vary = { learningRate: "0.002,0.005,0.01,0.02", blobs: "512,2048,8192" };
    return { config: { steps: 1000, blobs: 2048 }, longest: 256, vary };
  }
  const vary = { learningRate: "0.003,0.01,0.03", blobs: "50,100,200" };
  return { config: { steps: 100, blobs: 100 }, longest: 64, vary };
}

/** A sweep as the page's address tells it: the lab's settings, and `vary=learningRate=0.01,0.1` once or twice. */
export interface SweepLink extends Link {
  /** What the address says, or what the page begins with. */
  vary: Record<string, string>;
  /** What tells the reader's own picture, where it is one. */
  own?: string;
}

/** Reads the address's query; settings that it has are those that the lab's would have. */
export function readSweepLink(search: string, kind: BrowserEngine["kind"]): SweepLink {
  const query = new URLSearchParams(search);
  const varied = query.getAll("vary").map((text) => /^([^=]*)=(.*)$/.exec(text)?.slice(1) ?? [text, ""]);
  const own = query.get("own") ?? undefined;
  query.delete("vary");
  query.delete("own");
  const link = readLink(query.toString());
  const start = smallSweep(kind);
  const isEmpty = Object.keys(link.config).length === 0 && !link.picture && !link.size && !own;
  return {
    ...link,
    own,
    ...(isEmpty && varied.length === 0 && { config: start.config, size: String(start.longest) }),
    vary: varied.length > 0 ? withPresentNames(Object.fromEntries(varied)) : start.vary,
  };
}

/** Adds the sweep to a query that `writeLink` made. */
export function writeSweepLink(query: string, vary: Record<string, string>, own: string | undefined): string {
  const all = new URLSearchParams(query);
  if (own) all.set("own", own);
  for (const [field, values] of Object.entries(vary)) all.append("vary", `${field}=${values}`);
  return `?${all}`;
}

/** Fields that tell how large a job is and who computes it, which no preset decides. */
const sizeFields = ["blobs", "steps", "tile", "gaussiansPerBlock", "pipeline", "seed"] as const;

/**
 * What the runs have in common: as little as tells the config again, so that what follows from a swept field, such as
 * its preset's values, does.
 */
export function givenFields(config: TrainConfig, start: Partial<TrainConfig>, swept: readonly string[]): PartialConfig {
  const base = swept.includes("preset") ? presetStart(start, config.preset) : {};
  const changed = changedFields(config, completeConfig({ ...base, preset: config.preset }));
  const size = Object.fromEntries(sizeFields.map((field) => [field, config[field]]));
  const all = Object.entries<unknown>({ preset: config.preset, ...size, ...changed });
  return Object.fromEntries(all.filter(([field]) => !swept.includes(field)));
}
