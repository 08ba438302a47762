// The index of the recorded runs.
import { recordedRuns } from "../site/recordedRuns.js";

process.stdout.write(JSON.stringify(await recordedRuns()));
