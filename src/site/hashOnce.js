// @ts-check
// Loaded before a build. Framework hashes a module together with all modules that it imports, again for each module and
// page that imports it. Sources do not change during a build, so each hash is computed once.
import { isMainThread } from "node:worker_threads";

// Threads load this file too, and Framework would slow their start.
if (isMainThread) {
  const { LoaderResolver } = await import("@observablehq/framework/dist/loader.js");
  const methods = /** @type {const} */ ([
    "getLocalModuleHash",
    "getModuleHash",
    "getSourceFileHash",
    "resolveImportPath",
    "resolveFilePath",
  ]);
  for (const name of methods) {
    const compute = LoaderResolver.prototype[name];
    /** @type {Map<string, any>} */
    const known = new Map();
    LoaderResolver.prototype[name] = function (path) {
      if (!known.has(path)) known.set(path, compute.call(this, path));
      return known.get(path);
    };
  }
}
