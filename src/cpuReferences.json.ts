// The sources of the CPU references with their marks, by path below src/engine/, in one file, since a request per file
// would take longer.
import { readFileSync } from "node:fs";
import { cpuReferences } from "./components/kernels/cpuReferenceTable.js";
import { trialFiles } from "./components/learn/exercises/linkReference.js";

const files = [...Object.values(cpuReferences).flatMap((all) => all.map(({ file }) => file)), ...trialFiles];
const read = (file: string) => readFileSync(new URL(`engine/${file}`, import.meta.url), "utf8");
process.stdout.write(JSON.stringify(Object.fromEntries(files.map((file) => [file, read(file)]))));
