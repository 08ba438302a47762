import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { isInstalled, projectRoot } from "../../../src/host/node/install.js";
import { temporaryFolder } from "../../cli/command.js";

const root = temporaryFolder();
const folder = join(root, "node_modules");
const one = { version: "1.0.0" };
const wanted = {
  "": one,
  "node_modules/a": one,
  "node_modules/b": { version: "2.0.0", optional: true },
  "node_modules/c": { version: "3.0.0", dev: true },
  "node_modules/a/node_modules/d": { ...one, inBundle: true, extraneous: true },
};
writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages: wanted }));

it("isInstalled() is false in a fresh clone, and after an interrupted installation", () => {
  assert.equal(isInstalled(root), false);
  mkdirSync(folder);
  assert.equal(isInstalled(root), false);
  assert.equal(isInstalled(projectRoot), true);
});

it("isInstalled() requires the locked versions, and neither optional packages nor, for a command, tools", () => {
  const [a, c] = [{ "node_modules/a": one }, { "node_modules/c": { version: "3.0.0" } }];
  const cases: [installed: object, withTools: boolean, withoutTools: boolean][] = [
    [{ ...a, ...c }, true, true],
    [a, false, true],
    [c, false, false],
    [{ ...c, "node_modules/a": { version: "0.9.0" } }, false, false],
    [{ ...a, ...c, "node_modules/b": { version: "1.9.0" } }, false, false],
  ];
  for (const [packages, withTools, withoutTools] of cases) {
    writeFileSync(join(folder, ".package-lock.json"), JSON.stringify({ packages }));
    assert.deepEqual(
      [isInstalled(root), isInstalled(root, false)],
      [withTools, withoutTools],
      JSON.stringify(packages),
    );
  }
});
