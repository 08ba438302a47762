// `npm run fuzz -- [PARSER [COUNT]] [--seed=N [--path=P]] [--record]`: runs a parser, or all of them, on COUNT damaged
// inputs (default: 10,000). --record saves the results to data/fuzz.json.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gitCommit } from "../../src/host/node/checkout.js";
import { describeHost } from "../../src/host/node/gpu.js";
import { projectRoot } from "../../src/host/node/install.js";
import { versions } from "../../src/host/node/project.js";
import { fuzz } from "./fuzzing.js";
import { parsers } from "./parsers.js";

const {
  positionals: [only, count = "10000"],
  values: { seed, path, record },
} = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, path: { type: "string" }, record: { type: "boolean" } },
});
const names = only === undefined || only === "all" ? Object.keys(parsers) : [only];
const commit = gitCommit();
const resultsPath = join(projectRoot, "data/fuzz.json");

for (const name of names) {
  if (!parsers[name]) throw new Error(`Unknown parser ${name}: must be one of ${Object.keys(parsers).join(", ")}.`);
  const start = seed === undefined ? {} : { seed: Number(seed), path };
  const fuzzed = await fuzz(name, parsers[name], Number(count), start);
  console.log(name, fuzzed);
  if (record) save(name, fuzzed);
}

function save(name: string, fuzzed: object): void {
  const before = existsSync(resultsPath) ? JSON.parse(readFileSync(resultsPath, "utf8")) : {};
  const entry = {
    ...fuzzed,
    date: new Date().toISOString().slice(0, 10),
    commit,
    host: describeHost(),
    versions: versions(),
  };
  writeFileSync(resultsPath, `${JSON.stringify({ ...before, [name]: entry }, null, 2)}\n`);
}
