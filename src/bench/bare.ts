// The entry of the bundle that bundle.ts writes: the benchmark for a host that has Node and a GPU, and no packages.
import { runCommand } from "../terminal/run.js";
import { surviveClosedStreams } from "../terminal/streams.js";
import { bareSite } from "./bareSite.js";
import { benchCommand } from "./bench.js";

surviveClosedStreams();
await runCommand(benchCommand(bareSite), process.argv);
