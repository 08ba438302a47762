// @ts-check
// Plain JavaScript, since a thread starts without a TypeScript loader; .mjs, since the benchmark's bundle has a file of
// this name in its place and no package.json.
import { register } from "tsx/esm/api";

register();
await import("./nodePartThread.js");
