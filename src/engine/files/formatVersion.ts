import { quoted } from "../quoted.js";

/** The version of a run's files. Files of another version are refused. */
export const formatVersion = 1;

/**
 * @throws Error of one sentence unless a file's version is this one's
 */
export function checkVersion(version: unknown, file: string): void {
  if (version === formatVersion) return;
  throw new Error(
    `${file} is of format version ${quoted(version)}, but this splatbook reads version ${formatVersion}.`,
  );
}
