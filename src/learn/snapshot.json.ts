// The run that the chapters inspect, before its reader chooses another image: 300 blobs on 64×64 pixels.
import { fileURLToPath } from "node:url";
import { writeSnapshot } from "../components/learn/snapshotFile.js";
import { completeConfig } from "../engine/config.js";
import { cpuBackend } from "../engine/cpu/pipeline.js";
import { reduceImage } from "../engine/image/reduce.js";
import { decodeImage } from "../host/node/imageFile.js";

const config = completeConfig({ pipeline: "cpu", blobs: 300, steps: 400, learningRate: 0.01 });
const file = new URL("../../data/images/astronaut.png", import.meta.url);
const image = reduceImage(await decodeImage(fileURLToPath(file)), 64);
const pipeline = await cpuBackend.open(config, image);
await pipeline.advance(config.steps);
const snapshot = { name: "astronaut", config, image, state: await pipeline.state() };
await pipeline.free();
process.stdout.write(JSON.stringify(writeSnapshot(snapshot)));
