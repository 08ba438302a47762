// @ts-check
// Plain JavaScript, since a process starts without a TypeScript loader.
import { register } from "tsx/esm/api";

// Who asked has its answer, or is no more. An orderly end would wait for what decodes.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

register();
await import("./stageMain.js");
