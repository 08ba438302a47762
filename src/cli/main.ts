import { makeProgram } from "./program.js";
import { runCommand } from "./run.js";

await runCommand(makeProgram(), process.argv);
