// The other entry of the bundle: realtime.ts for such a host.
import { runCommand } from "../terminal/run.js";
import { surviveClosedStreams } from "../terminal/streams.js";
import { bareSite } from "./bareSite.js";
import { realtimeCommand } from "./realtimeCommand.js";

surviveClosedStreams();
await runCommand(realtimeCommand(await bareSite()), process.argv);
