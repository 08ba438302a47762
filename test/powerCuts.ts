// Simulates power cuts while fit, fit --resume, sweep, gradients and render write, and checks their files:
// node --import tsx test/powerCuts.ts 200 [SEED]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { projectRoot } from "../src/host/node/install.js";
import { kinds, PowerCuts } from "./support/powerCuts.js";
import { runQuietly } from "./support/runQuietly.js";

const [wanted, seed] = [Number(process.argv[2] ?? 30), Number(process.argv[3] ?? 1)];
const folder = mkdtempSync(join(tmpdir(), "splatbook-power-"));
const image = join(folder, "small.png");
await sharp(join(projectRoot, "data", "images", "astronaut.png"))
  .resize(24, 16)
  .toFile(image);

const cuts = await PowerCuts.start(folder, image, runQuietly);
/** Power cuts of one recorded command. */
const together = 5;
for (let done = 0, round = 0; done < wanted; done += together, round++) {
  const printed = cuts.problems.length;
  await cuts.cut(kinds[round % kinds.length], Math.min(together, wanted - done), seed + round);
  for (const problem of cuts.problems.slice(printed)) console.error(problem);
}
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ cuts: wanted, seed, ...cuts.counts, problems: cuts.problems }, null, 2));
process.exit(cuts.problems.length === 0 ? 0 : 1);
