// The entry of the bundle for recorded.ts.
import { runCommand } from "../terminal/run.js";
import { surviveClosedStreams } from "../terminal/streams.js";
import { bareSite } from "./bareSite.js";
import { recordedCommand } from "./recordedCommand.js";

surviveClosedStreams();
await runCommand(recordedCommand(await bareSite()), process.argv);
