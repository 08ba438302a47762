// @ts-check
// Plain JavaScript, since a process starts without a TypeScript loader.
import { start } from "../host/node/start.js";

// It ends with its worker, also where that is killed; of a terminal's Ctrl-C and of a request to end it hears by that.
process.on("disconnect", () => process.exit());
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

await start("farm/trainerProcess");
