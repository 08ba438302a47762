// `node --import tsx src/bench/main.ts PROGRAM`: runs a benchmark program of programs.ts in this checkout.
// `npm run bench:record` is the program `record`.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectRoot } from "../host/node/install.js";
import { runProgram } from "./programs.js";
import { checkoutSite } from "./site.js";

await runProgram(
  async () => checkoutSite(),
  (program) =>
    program === "bench"
      ? [join(projectRoot, "src", "cli", "splatbook.js"), "bench"]
      : ["--import", "tsx", fileURLToPath(import.meta.url), program],
);
