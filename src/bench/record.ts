// `npm run bench:record -- --into data/bench`: makes the recorded files of data/bench anew. On a host with a GPU and no
// packages it is `node record.mjs --into FOLDER` in the folder that bundle.ts writes.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectRoot } from "../host/node/install.js";
import { runCommand } from "../terminal/run.js";
import { surviveClosedStreams } from "../terminal/streams.js";
import { type BenchProgram, recordCommand } from "./recordings.js";
import { checkoutSite } from "./site.js";

const nodeArguments = (name: string) => ["--import", "tsx", fileURLToPath(new URL(name, import.meta.url))];
const argvOf: Record<BenchProgram, string[]> = {
  bench: [join(projectRoot, "src", "cli", "splatbook.js"), "bench"],
  realtime: nodeArguments("./realtime.ts"),
  recorded: nodeArguments("./recorded.ts"),
};

surviveClosedStreams();
await runCommand(
  recordCommand(checkoutSite(), (program) => argvOf[program]),
  process.argv,
);
