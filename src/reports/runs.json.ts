// The recorded runs, with the files of each.
import { recordedRuns } from "../site/recordedRuns.js";

process.stdout.write(JSON.stringify(await recordedRuns()));
