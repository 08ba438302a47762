// Decodes an image in a separate process, since a decoder can be stopped only by ending its process.
import { stageFile } from "./stageFile.js";

process.send?.(await stageFile(JSON.parse(process.argv[2])));
