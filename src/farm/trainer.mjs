// @ts-check
// Plain JavaScript, since processes start without a TypeScript loader.
import { start } from "../host/node/start.js";

// The process ends with its worker, which also handles Ctrl-C and SIGTERM.
process.on("disconnect", () => process.exit());
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

await start("farm/trainerProcess");
