import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, it } from "vitest";
import { lockedVersions } from "../../../../src/host/node/checkout.js";
import { projectRoot } from "../../../../src/host/node/install.js";
import { node, smallImage, temporaryFolder } from "../../../cli/command.js";
import { softwareAdapterEnvironment } from "../../../support/softwareAdapter.js";

const root = join(temporaryFolder(), "project");
const packages = readdirSync(join(projectRoot, "node_modules")).filter((name) => !name.startsWith("."));

/** Links the missing packages. */
function linkPackages(): void {
  for (const name of packages) {
    const link = join(root, "node_modules", name);
    if (!existsSync(link)) symlinkSync(join(projectRoot, "node_modules", name), link);
  }
}

/** Copies this project, without bundles and with links to its packages. Its tests use the bundles of those before them. */
beforeAll(() => {
  mkdirSync(join(root, "node_modules"), { recursive: true });
  for (const name of ["package.json", "package-lock.json", "tsconfig.json", "node_modules/.package-lock.json"]) {
    cpSync(join(projectRoot, name), join(root, name));
  }
  cpSync(join(projectRoot, "src"), join(root, "src"), {
    recursive: true,
    filter: (path) => /(^|\/)[^.]*$|\.(ts|m?js)$/.test(path.replaceAll("\\", "/").slice(projectRoot.length)),
  });
  linkPackages();
});

const cache = () => join(root, "node_modules", ".cache");
const bundles = () => (existsSync(join(cache(), "splatbook")) ? readdirSync(join(cache(), "splatbook")) : []);
const removeBundles = () => rmSync(cache(), { recursive: true, force: true });
const start = (...args: string[]) => node([join(root, "src", "cli", "splatbook.js"), ...args]);
const version = { code: 0, stdout: "0.1.0\n", stderr: "" };

/** What the sources that a test has rewritten were. */
const sources = new Map<string, string>();

/** Rewrites a source file, for the length of a test. */
function edit(path: string, change: (text: string) => string): void {
  const file = join(root, "src", path);
  const text = readFileSync(file, "utf8");
  if (!sources.has(file)) sources.set(file, text);
  writeFileSync(file, change(text));
}

afterEach(() => {
  for (const [file, text] of sources) writeFileSync(file, text);
  sources.clear();
  linkPackages();
});

describe("splatbook's start", () => {
  it("compiles once, and then needs neither a compiler nor a loader", async () => {
    assert.deepEqual(await start("--version"), version);
    for (const name of ["esbuild", "tsx"]) rmSync(join(root, "node_modules", name));
    assert.deepEqual(await start("--version"), version);
    assert.equal(bundles().length, 1);
  });

  it("takes changes of a source, even if its size and modification time stay", async () => {
    const file = join(root, "src", "cli", "commands.ts");
    const yesterday = new Date(Date.now() - 24 * 3600 * 1000);
    utimesSync(file, yesterday, yesterday);
    await start("--version");
    edit("cli/commands.ts", (text) => text.replace("check the files of a run", "CHECK the files of a run"));
    utimesSync(file, yesterday, yesterday);
    assert.match((await start("--help")).stdout, /CHECK the files of a run/);
  });

  it("removes bundles from which no command has started for a week, and names the line of the source in a stack trace", async () => {
    const longAgo = new Date(Date.now() - 8 * 24 * 3600 * 1000);
    mkdirSync(join(cache(), "splatbook", "old"), { recursive: true });
    const before = bundles();
    for (const name of before) utimesSync(join(cache(), "splatbook", name), longAgo, longAgo);
    let line = 0;
    edit("cli/verify.ts", (text) => {
      line = text.split("\n").length;
      return `${text}setImmediate(() => { throw new Error("planted"); });\n`;
    });
    assert.match((await start("verify", "nothing")).stderr, new RegExp(`src/cli/verify\\.ts:${line}\\b`));
    assert.deepEqual([before.length > 1, bundles().length, before.includes(bundles()[0])], [true, 1, false]);
  });

  it("is safe if several start at the same time", async () => {
    removeBundles();
    const outcomes = await Promise.all(Array.from({ length: 2 }, () => start("--version")));
    assert.deepEqual(outcomes, Array(2).fill(version));
    const before = bundles();
    assert.deepEqual(await start("--version"), version);
    assert.deepEqual(bundles(), before);
  });

  it("loads the sources if nothing can be written", async () => {
    removeBundles();
    writeFileSync(cache(), "");
    assert.deepEqual(await start("--version"), version);
    removeBundles();
  });

  it("runs valid sources if another one is broken", async () => {
    removeBundles();
    edit("cli/verify.ts", (text) => `${text}\n}`);
    assert.deepEqual(await start("--version"), version);
    assert.equal((await start("verify", "nothing")).code, 1);
    assert.deepEqual(bundles(), []);
  });

  it("installs Dawn for a command that needs a GPU, which otherwise fails instead of using the CPU", async () => {
    rmSync(join(root, "node_modules", "webgpu"));
    symlinkSync(join(projectRoot, "shaders"), join(root, "shaders"), "junction");
    const dawn = JSON.stringify(join(projectRoot, "node_modules", "webgpu"));
    const scripts = {
      working: `import fs from "node:fs"; fs.mkdirSync("node_modules"); fs.symlinkSync(${dawn}, "node_modules/webgpu", "junction");`,
      failing: "process.exit(1);",
    };
    const image = await smallImage(root);
    const fit = (npm: keyof typeof scripts) => {
      const npm_execpath = join(root, npm, "npm-cli.js");
      mkdirSync(join(root, npm), { recursive: true });
      writeFileSync(npm_execpath, scripts[npm]);
      const args = ["fit", image, "--blobs", "9", "--steps", "2", "--pipeline", "simple", "--quiet", "--json"];
      const script = join(root, "src", "cli", "splatbook.js");
      const env = { ...softwareAdapterEnvironment(), npm_execpath };
      return node([script, ...args, "--out", join(root, `${npm}-run`)], { env });
    };
    const { webgpu } = lockedVersions();
    const notice = `Installing webgpu@${webgpu}. This happens once.\n`;
    const failed = await fit("failing");
    assert.deepEqual(
      [failed.code, failed.stderr],
      [
        1,
        `${notice}npm could not install webgpu@${webgpu}. Its output is above. The GPU needs it; --pipeline cpu trains without it.\n`,
      ],
    );
    const installed = await fit("working");
    assert.deepEqual([JSON.parse(installed.stdout).config.pipeline, installed.stderr], ["simple", notice]);
  });
});
