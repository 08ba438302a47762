// @ts-check
// Plain JavaScript, since a thread starts without a TypeScript loader.
import { register } from "tsx/esm/api";

register();
await import("./tableThread.js");
