import { runCommand } from "../terminal/run.js";
import { surviveClosedStreams } from "../terminal/streams.js";
import { makeProgram } from "./program.js";

surviveClosedStreams();
await runCommand(makeProgram(), process.argv);
