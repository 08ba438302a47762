import { completeConfig, coveringScale, type TrainConfig } from "../../engine/config.js";
import { formatField, parseField } from "../../engine/fields.js";
import { withPresentNames } from "../../engine/oldNames.js";
import { presetStart } from "./startingJob.js";

/** A job as the page's address tells it: `?picture=coffee&size=96&blobs=400&engine=cpu`. */
export interface Link {
  /** A picture of the gallery. */
  picture?: string;
  /** Pixels of the picture's longer side, a whole number; what is none is left out. */
  size?: string;
  /** "cpu" leaves a GPU alone; "gpu" trains on a software adapter too. */
  engine?: string;
  /** A run of this browser's storage to go on with, by its id. */
  resume?: string;
  /** Fields of the config, not yet checked. */
  config: Record<string, unknown>;
}

/** The key of gaussiansPerBlock. Links under its own name are older, when only tiled and cpu used it. */
const blockKey = "GAUSSIANS_PER_BLOCK";

/** Reads an address's query; every other key is taken for a field of the config, which `completeConfig` checks. */
export function readLink(search: string): Link {
  const query = withPresentNames(Object.fromEntries(new URLSearchParams(search)));
  const { picture, size, engine, resume, ...keys } = query;
  const { [blockKey]: block, gaussiansPerBlock: older, ...fields } = keys;
  const gaussiansPerBlock = block ?? (/^(?:tiled|cpu)$/.test(fields.pipeline ?? "") ? older : undefined);
  if (gaussiansPerBlock !== undefined) fields.gaussiansPerBlock = gaussiansPerBlock;
  const config = Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, parseField(field, text)]));
  return {
    picture,
    size: size && /^[1-9]\d{0,5}$/.test(size) ? size : undefined,
    engine,
    ...(resume && { resume }),
    config,
  };
}

/** The query that leads to this job again: only what differs from where the page would begin. */
export function writeLink(config: TrainConfig, start: Partial<TrainConfig>, others: Omit<Link, "config">): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(others)) if (value !== undefined) query.set(key, value);
  // What its preset says of the others need not be said, only which it is.
  const ofPreset = { ...completeConfig(presetStart(start, config.preset)), preset: completeConfig(start).preset };
  for (const [field, value] of Object.entries(changedFields(config, ofPreset))) {
    query.set(...entryOf(field, value));
  }
  return query.size > 0 ? `?${query}` : "";
}

/** The query that leads the lab to a job's settings wherever it would begin, by whatever pipeline it has. */
export function fullLink({ pipeline: _, gaussiansPerBlock: _g, ...config }: TrainConfig): string {
  const fields = Object.entries(changedFields(config as TrainConfig));
  return `?${new URLSearchParams(fields.map(([field, value]) => entryOf(field, value)))}`;
}

function entryOf(field: string, value: unknown): [key: string, text: string] {
  return [field === "gaussiansPerBlock" ? blockKey : field, String(formatField(value))];
}

/** The fields in which a config differs from another, without what follows from the number of blobs. */
export function changedFields(config: TrainConfig, base?: TrainConfig): Partial<TrainConfig> {
  const changed = Object.entries(config).filter(([field, value]) => {
    // Powers differ from one JavaScript engine to the next, in their last digit.
    if (field === "covarianceScale") return Math.abs((value as number) / coveringScale(config.blobs) - 1) > 1e-9;
    return String(value) !== String(base?.[field as keyof TrainConfig]);
  });
  return Object.fromEntries(changed);
}
