// `node --import tsx src/bench/recorded.ts [PICTURE] [--json FILE]`: how much longer recorded steps take.
import { runCommand } from "../terminal/run.js";
import { surviveClosedStreams } from "../terminal/streams.js";
import { recordedCommand } from "./recordedCommand.js";
import { checkoutSite } from "./site.js";

surviveClosedStreams();
await runCommand(recordedCommand(checkoutSite()), process.argv);
