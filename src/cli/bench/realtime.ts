// `node --import tsx src/cli/bench/realtime.ts [PICTURE] --json FILE`: records what data/bench/realtime.json holds.
import { runCommand } from "../run.js";
import { surviveClosedStreams } from "../streams.js";
import { realtimeCommand } from "./realtimeCommand.js";
import { checkoutSite } from "./site.js";

surviveClosedStreams();
await runCommand(realtimeCommand(checkoutSite()), process.argv);
