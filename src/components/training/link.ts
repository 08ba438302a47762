import { changedFields, completeConfig, type TrainConfig } from "../../engine/config.js";
import { formatField, parseField } from "../../engine/fields.js";
import { withPresentNames } from "../../engine/oldNames.js";
import { presetStart } from "./startingJob.js";

/** A job in the page's address: `?picture=coffee&size=96&blobs=400&engine=cpu`. */
export interface Link {
  /** Name of a gallery image. */
  picture?: string;
  /** Pixels of the image's longer side, a whole number. Other values are dropped. */
  size?: string;
  /** "cpu" ignores the GPU; "gpu" allows a software adapter. */
  engine?: string;
  /** Id of a stored run to resume. */
  resume?: string;
  /** Fields of the configuration, not checked. */
  config: Record<string, unknown>;
}

/** The key of gaussiansPerBlock. Older links use the field's name; then only `tiled` and `cpu` used the value. */
const blockKey = "GAUSSIANS_PER_BLOCK";

/** Keys of a chapter's address that other components read; older links have `slides`. */
const chapterKeys = ["exercises", "language", "slides"];

/** Reads the query of an address. Unknown keys become fields of the configuration, for `completeConfig` to check. */
export function readLink(search: string): Link {
  const parameters = new URLSearchParams(search);
  for (const chapterKey of chapterKeys) parameters.delete(chapterKey);
  const query = withPresentNames(Object.fromEntries(parameters));
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

/** Returns the query of a job: the differences from the job that the page starts with. */
export function writeLink(config: TrainConfig, start: Partial<TrainConfig>, others: Omit<Link, "config">): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(others)) if (value !== undefined) query.set(key, value);
  // The fields that follow from the preset are left out.
  const ofPreset = { ...completeConfig(presetStart(start, config.preset)), preset: completeConfig(start).preset };
  for (const [field, value] of Object.entries(changedFields(config, ofPreset))) {
    query.set(...entryOf(field, value));
  }
  return query.size > 0 ? `?${query}` : "";
}

/** Returns the query with all settings of a job except the pipeline's, for any initial job. */
export function fullLink({ pipeline: _, gaussiansPerBlock: _g, ...config }: TrainConfig): string {
  const fields = Object.entries(changedFields(config as TrainConfig));
  return `?${new URLSearchParams(fields.map(([field, value]) => entryOf(field, value)))}`;
}

function entryOf(field: string, value: unknown): [key: string, text: string] {
  return [field === "gaussiansPerBlock" ? blockKey : field, String(formatField(value))];
}
