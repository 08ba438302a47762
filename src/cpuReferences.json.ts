// The sources of the CPU references, by path below src/engine/, in one file, since a request per file
// would take longer.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cpuReferencesIn } from "./components/kernels/kernelHeader.js";
import { readMarkedShaders } from "./host/node/shaderFiles.js";

const shaders = await readMarkedShaders(fileURLToPath(new URL("../shaders/", import.meta.url)));
const references = [...shaders.values()].flatMap((text) => cpuReferencesIn(text).map(({ file }) => file));
const read = (file: string) => readFileSync(new URL(`engine/${file}`, import.meta.url), "utf8");
process.stdout.write(JSON.stringify(Object.fromEntries(references.map((file) => [file, read(file)]))));
