// The steps and the description of the run in recordedRun.webp.

import { readFileSync } from "node:fs";

const { adapter, step, config, timings } = JSON.parse(readFileSync("data/runs/astronaut-seed/run.json", "utf8"));
const words = `Recorded on ${adapter}, ${timings.finishedAt.slice(0, 10)}: ${config.blobs.toLocaleString("en-US")} blobs, ${step.toLocaleString("en-US")} steps. Your own run comes in a moment.`;
process.stdout.write(JSON.stringify({ words }));
