// The index of the recorded runs.
import { recordedRuns } from "../cli/recordedRuns.js";

process.stdout.write(JSON.stringify(await recordedRuns()));
