// @ts-check
// Plain JavaScript, since a process starts without a TypeScript loader.
import { start } from "./start.js";

// Who asked has its answer, or is no more. An orderly end would wait for what decodes.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

await start("host/node/stageMain");
