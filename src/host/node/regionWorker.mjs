// @ts-check
// Plain JavaScript, since threads start without a TypeScript loader.
import { start } from "./start.js";

await start("host/node/regionThread");
