import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "vitest";
import { isInstalled, projectRoot } from "../../../src/host/node/install.js";

describe("isInstalled()", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "splatbook-"));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const wanted = {
    "": { version: "1.0.0" },
    "node_modules/a": { version: "1.0.0" },
    "node_modules/b": { version: "2.0.0", optional: true },
  };
  function writeLock(packages: object): void {
    writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages }));
  }
  function writeInstalled(packages: object): void {
    mkdirSync(join(root, "node_modules"), { recursive: true });
    writeFileSync(join(root, "node_modules", ".package-lock.json"), JSON.stringify({ packages }));
  }

  it("is false in a fresh clone", () => {
    writeLock(wanted);
    assert.equal(isInstalled(root), false);
  });

  it("is false after an interrupted installation", () => {
    writeLock(wanted);
    mkdirSync(join(root, "node_modules", "a"), { recursive: true });
    assert.equal(isInstalled(root), false);
  });

  it("is true when every package is installed, with any file times", () => {
    writeInstalled({ "node_modules/a": { version: "1.0.0" }, "node_modules/b": { version: "2.0.0" } });
    writeLock(wanted);
    assert.equal(isInstalled(root), true);
  });

  it("does not require optional packages, which other platforms need", () => {
    writeLock(wanted);
    writeInstalled({ "node_modules/a": { version: "1.0.0" } });
    assert.equal(isInstalled(root), true);
  });

  it("does not require packages bundled in another package", () => {
    writeLock({ ...wanted, "node_modules/a/node_modules/d": { version: "1.0.0", inBundle: true, extraneous: true } });
    writeInstalled({ "node_modules/a": { version: "1.0.0" } });
    assert.equal(isInstalled(root, false), true);
  });

  it("requires development packages for tests and checks, and not for a command", () => {
    writeLock({ ...wanted, "node_modules/c": { version: "3.0.0", dev: true } });
    writeInstalled({ "node_modules/a": { version: "1.0.0" } });
    assert.equal(isInstalled(root), false);
    assert.equal(isInstalled(root, false), true);
    writeInstalled({ "node_modules/c": { version: "3.0.0", dev: true } });
    assert.equal(isInstalled(root, false), false);
  });

  it("is false when the lock file asks for another version", () => {
    writeLock(wanted);
    writeInstalled({ "node_modules/a": { version: "0.9.0" } });
    assert.equal(isInstalled(root), false);
  });

  it("is false when the lock file asks for another version of an optional package", () => {
    writeLock(wanted);
    writeInstalled({ "node_modules/a": { version: "1.0.0" }, "node_modules/b": { version: "1.9.0" } });
    assert.equal(isInstalled(root), false);
  });

  it("is true for this project", () => {
    assert.equal(isInstalled(projectRoot), true);
  });
});
