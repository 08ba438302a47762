// @ts-check
// Plain JavaScript, since a thread starts without the TypeScript loader.
import { register } from "tsx/esm/api";

register();
await import("./nodePartThread.js");
