// @ts-check
// Plain JavaScript, since a thread starts without a TypeScript loader.
import { start } from "./start.js";

await start("host/node/tableThread");
