// The entry of the bundle that makes all recorded files anew, by its other entries.
import { fileURLToPath } from "node:url";
import { runCommand } from "../terminal/run.js";
import { surviveClosedStreams } from "../terminal/streams.js";
import { bareSite } from "./bareSite.js";
import { recordCommand } from "./recordings.js";

surviveClosedStreams();
const argvOf = (program: string) => [fileURLToPath(new URL(`./${program}.mjs`, import.meta.url))];
await runCommand(recordCommand(await bareSite(), argvOf), process.argv);
