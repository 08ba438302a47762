// `node --import tsx src/cli/bench/recorded.ts [PICTURE] [--json FILE]`: how much longer recorded steps take.
import { runCommand } from "../run.js";
import { surviveClosedStreams } from "../streams.js";
import { recordedCommand } from "./recordedCommand.js";
import { checkoutSite } from "./site.js";

surviveClosedStreams();
await runCommand(recordedCommand(checkoutSite()), process.argv);
