// Decodes a picture in a process of its own, since nothing else can stop what decodes.
import { stageFile } from "./stageFile.js";

process.send?.(await stageFile(JSON.parse(process.argv[2])));
