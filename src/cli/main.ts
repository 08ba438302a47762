import { makeProgram } from "./program.js";
import { runCommand } from "./run.js";
import { surviveClosedStreams } from "./streams.js";

surviveClosedStreams();
await runCommand(makeProgram(), process.argv);
