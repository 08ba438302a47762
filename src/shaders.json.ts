// Every file under shaders/ with its marks, by its path there, in one file of the site, since a request for each would take longer.
import { fileURLToPath } from "node:url";
import { readMarkedShaders } from "./host/node/shaderFiles.js";

const folder = fileURLToPath(new URL("../shaders/", import.meta.url));
process.stdout.write(JSON.stringify([...(await readMarkedShaders(folder))]));
