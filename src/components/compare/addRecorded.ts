import { listRecordedRuns } from "../runs/recordedRuns.js";
import { recordedRun } from "./comparedRun.js";
import type { Comparison } from "./comparison.js";

/**
 * Adds the runs that the site publishes, and compares two of them: those of one picture, where there are such.
 * @param first the name of one that is compared in any case
 * @returns how many there are
 */
export async function addRecorded(comparison: Comparison, first?: string | null): Promise<number> {
  const recorded = await listRecordedRuns();
  const runs = recorded.map(({ name, description, files }) =>
    recordedRun(
      name,
      description,
      files.reduce((sum, { bytes }) => sum + bytes, 0),
    ),
  );
  const asked = runs.find(({ name }) => name === first);
  const pictures = runs.map(({ facts }) => facts.picture);
  const shared = asked?.facts.picture ?? pictures.find((picture, i) => pictures.indexOf(picture) !== i);
  const rank = (run: (typeof runs)[number]) => (run === asked ? 0 : run.facts.picture === shared ? 1 : 2);
  comparison.add(
    runs.toSorted((a, b) => rank(a) - rank(b)),
    2,
  );
  return runs.length;
}
