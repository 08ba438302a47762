import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { confinement } from "../../src/farm/confinement.js";
import { temporaryFolder } from "../cli/command.js";

const folder = temporaryFolder();
const files = ["first", "second", "third"].map((name) => join(folder, name));
for (const file of files) writeFileSync(file, file);

describe("several GPUs", () => {
  it("are assigned to one process each, or a sentence says why not", () => {
    const { commandPrefixes, warning } = confinement(files);
    if (!commandPrefixes) {
      assert.match(warning, /^All workers use the first of 3 GPUs, since none can be hidden from them: .+\.$/);
      return;
    }
    const seen = commandPrefixes.map(([command, ...args]) =>
      spawnSync(command, [...args, "cat", ...files], { encoding: "utf8" }),
    );
    assert.deepEqual(
      seen.map(({ stdout }) => stdout),
      files,
    );
    assert.equal(readFileSync(files[1], "utf8"), files[1], "and other processes see all of them");
  });

  it("need no command prefix if there is only one", () => {
    assert.deepEqual(confinement(files.slice(0, 1)), { commandPrefixes: [[]] });
  });
});
