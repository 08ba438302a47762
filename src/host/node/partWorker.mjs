// @ts-check
// Plain JavaScript, since a thread starts without a TypeScript loader; .mjs, since the benchmark's bundle has a file of
// this name in its place and no package.json.
import { start } from "./start.js";

await start("host/node/partThread");
