#!/usr/bin/env node
// @ts-check
// Plain JavaScript, since in a fresh clone neither the packages nor a TypeScript loader are there yet.
import { ensureInstalled } from "./install.js";

ensureInstalled();
const { register } = await import("tsx/esm/api");
register();
await import("./main.js");
