import { runCommand } from "../terminal/run.js";
import { surviveClosedStreams } from "../terminal/streams.js";
import { makeProgram } from "./program.js";

surviveClosedStreams();
const program = makeProgram().hook("preAction", () => process.setSourceMapsEnabled(true));
await runCommand(program, process.argv);
