// `node --import tsx src/bench/realtime.ts [PICTURE] --json FILE`: records what data/bench/realtime.json holds.
import { runCommand } from "../terminal/run.js";
import { surviveClosedStreams } from "../terminal/streams.js";
import { realtimeCommand } from "./realtimeCommand.js";
import { checkoutSite } from "./site.js";

surviveClosedStreams();
await runCommand(realtimeCommand(checkoutSite()), process.argv);
