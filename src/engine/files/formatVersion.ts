import { inRange, mustBe } from "../quoted.js";

/** The version of the files of a run. Files of version 1 can be read too; others are refused. */
export const formatVersion = 2;

/**
 * Returns a file's version.
 * @throws Error of one sentence if this splatbook cannot read it
 */
export function checkVersion(version: unknown, file: string): number {
  if (version === 1 || version === formatVersion) return version;
  throw new Error(mustBe(file, `of a format version ${inRange(1, formatVersion)}`, version));
}
