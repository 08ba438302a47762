// The entry of the bundle that bundle.ts writes, for a host with Node and a GPU but no packages.
import { fileURLToPath } from "node:url";
import { bareSite } from "./bareSite.js";
import { runProgram } from "./programs.js";

await runProgram(bareSite, (program) => [fileURLToPath(import.meta.url), program]);
