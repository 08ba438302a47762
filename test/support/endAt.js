// @ts-check
// Preloaded into a command by test/killing.ts: counts its operations on the files of a folder, and ends it at one of them
// as kill -9 does.
import { writeFileSync } from "node:fs";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

/**
 * @typedef {object} EndAt
 * @property {string} folder
 * @property {string} [report] file for the numbers of operations, written at the end
 * @property {"rename"} [only] which operations are counted; all if absent
 * @property {number} [at] the number of the operation, from 0
 * @property {number} [delay] milliseconds after its start; if absent, after its end
 */
/** @type {EndAt} */
const { folder, report, only, at, delay } = JSON.parse(process.env.SPLATBOOK_END_AT ?? "{}");
const counts = { all: 0, rename: 0 };

for (const name of /** @type {const} */ (["mkdir", "open", "rename", "rmdir", "rm"])) {
  const original = /** @type {(...given: unknown[]) => Promise<unknown>} */ (fs[name]);
  Object.assign(fs, {
    /** @param {unknown[]} args */
    [name]: async (...args) => {
      if (!String(args[0]).startsWith(folder)) return original(...args);
      const number = only === undefined ? counts.all : name === only ? counts[only] : undefined;
      counts.all++;
      if (name === "rename") counts.rename++;
      if (number === undefined || number !== at) return original(...args);
      if (delay !== undefined) void endIn(delay);
      const result = await original(...args);
      if (delay === undefined) end();
      return result;
    },
  });
}
syncBuiltinESMExports();
if (report) process.on("exit", () => writeFileSync(report, JSON.stringify(counts)));

/** @param {number} delay */
async function endIn(delay) {
  const until = performance.now() + delay;
  while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
  end();
}

function end() {
  process.kill(process.pid, "SIGKILL");
}
