// @ts-check
// Plain JavaScript, since threads start without a TypeScript loader. It is .mjs, since the benchmark's bundle has a file of this name and no package.json.
import { start } from "./start.js";

await start("host/node/taskThread");
