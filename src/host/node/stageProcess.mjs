// @ts-check
// Plain JavaScript, since processes start without a TypeScript loader.
import { start } from "./start.js";

// The parent has its answer, or has ended. A normal exit would wait for the decoder.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

await start("host/node/stageMain");
