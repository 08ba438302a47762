import { join } from "node:path";
import { readShaders } from "../host/node.js";
import { projectRoot } from "./install.js";

/** Reads the checkout's shaders. */
export const readLibrary = () => readShaders(join(projectRoot, "shaders"));
