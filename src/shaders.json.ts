// All files of shaders/ with their marks, by path, in one file, since a request per file would take longer.
import { fileURLToPath } from "node:url";
import { readMarkedShaders } from "./host/node/shaderFiles.js";

const folder = fileURLToPath(new URL("../shaders/", import.meta.url));
process.stdout.write(JSON.stringify([...(await readMarkedShaders(folder))]));
