// The entry of the bundle for recorded.ts.
import { runCommand } from "../run.js";
import { surviveClosedStreams } from "../streams.js";
import { bareSite } from "./bareSite.js";
import { recordedCommand } from "./recordedCommand.js";

surviveClosedStreams();
await runCommand(recordedCommand(await bareSite()), process.argv);
