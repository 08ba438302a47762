import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";
import { afterAll, beforeAll, describe, it } from "vitest";
import { lockedVersions } from "../../src/host/node/checkout.js";
import { projectRoot } from "../../src/host/node/install.js";
import { newContext, watchPage } from "../support/browser.js";
import { deno } from "../support/deno.js";
import { openBrowser } from "../support/pages.js";
import { type StaticServer, serve } from "../support/server.js";

const run = promisify(execFile);
const modules = join(projectRoot, "node_modules");

/** The README's, with fewer blobs and steps. */
const recipe = /^```js\n(import \{decodeImage.*?)^```/ms
  .exec(await readFile(join(projectRoot, "README.md"), "utf8"))![1]
  .replace("blobs: 2000, steps: 500", "blobs: 200, steps: 5");

/** A project that has only the packed file. */
const files = {
  "index.html": `<link rel="stylesheet" href="./main.css"><script type="module" src="./main.ts"></script>`,
  "main.css": `@import url("splatbook/splatbook.css");`,
  "main.ts": `
    import { type ChosenImage, decodeImage, openEngine, runBar, train } from "splatbook";

    const size = { width: 64, height: 48 };
    const data = new Uint8ClampedArray(4 * size.width * size.height).map((_, i) => (i % 4 === 3 ? 255 : (7 * i) % 256));
    const image: ChosenImage = { image: { ...size, data }, original: size, name: "mine" };
    const engine = await openEngine();
    const run = train({ engine, image, blobs: 200, steps: 5 });
    document.body.append(runBar(run));
    const losses: number[] = [];
    for await (const { loss } of run.steps()) losses.push(loss);
    const last = await run.finished;
    const rows: number[] = [];
    for await (const table of run.parameters()) rows.push(...table.getChild("center_x_decoded")!.toArray());

    const canvas = Object.assign(document.createElement("canvas"), size);
    canvas.getContext("2d")!.putImageData(new ImageData(data, size.width), 0, 0);
    const png = await new Promise<Blob | null>((done) => canvas.toBlob(done));
    const decoded = await decodeImage(png!, "mine.png", 8);

    const { kind } = engine;
    Object.assign(globalThis, { file: new File([png!], "mine.png") });
    const { recorded } = await import("./recipe.js");
    document.body.dataset.result = JSON.stringify({ kind, pipeline: run.config.pipeline, losses, rows, last: last!.step, width: decoded.image.width, recorded });`,
  "recipe.js": `${recipe.replace("openEngine()", 'openEngine("cpu")')}\nexport const recorded = [image.width, table.numRows];`,
  "recipe.d.ts": "export const recorded: number[];",
  "program.mjs": `
    import { readFile } from "node:fs/promises";
    const file = new File([await readFile("mine.jpg")], "mine.jpg");
    ${recipe.replace("openEngine()", 'openEngine("cpu")')}
    console.log([image.width, table.numRows].join());`,
};

describe("the package of npm pack", () => {
  let folder: string;
  let server: StaticServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "splatbook-package-"));
    await install(await pack(join(folder, "clone")), join(folder, "node_modules", "splatbook"));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await build({ root: folder, logLevel: "error", build: { target: "es2022", minify: false } });
    server = await serve(join(folder, "dist"));
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const manifest = async () => JSON.parse(await readFile(join(folder, "node_modules/splatbook/package.json"), "utf8"));

  it("trains in a page that Vite bundles, and provides tables, images and styles", async () => {
    const context = await newContext(await openBrowser(), { origin: server.origin });
    const { page } = await watchPage(context, "/");
    const result = await page.waitForFunction(() => document.body.dataset.result);
    const { kind, pipeline, losses, last, rows, width, recorded } = JSON.parse((await result.jsonValue())!);
    assert.deepEqual([kind, pipeline, losses.length, last, rows.length, width], ["software", "binned", 5, 5, 200, 8]);
    assert.deepEqual(recorded, [64, 200], "the recipe of the README");
    assert.ok(losses.at(-1) < losses[0]);
    assert.ok(rows.every((x: number) => x >= 0 && x <= 1));
    const bar = page.getByRole("button", { name: "Step", exact: true }).locator("..");
    assert.equal(await bar.evaluate((node) => getComputedStyle(node).display), "grid", "the styles of the package");
  });

  const denoFlags = ["run", "--no-remote", "--no-lock", "--no-config", "--node-modules-dir=manual", "--allow-all"];
  for (const [name, executable, flags] of [
    ["Node", process.execPath, []],
    ["Deno", deno(), denoFlags],
  ] as const) {
    it.skipIf(!executable)(`decodes a file and trains in ${name}, as the README says`, async () => {
      await copyFile(join(projectRoot, "data", "images", "rocket.jpg"), join(folder, "mine.jpg"));
      const env = { ...process.env, DENO_DIR: join(projectRoot, ".dev", "deno"), DENO_NO_UPDATE_CHECK: "1" };
      const { stdout } = await run(executable!, [...flags, "program.mjs"], { cwd: folder, env });
      assert.equal(stdout, "256,200\n");
    });
  }

  it("has types that pass strict checks, and that reject wrong arguments", async () => {
    const wrong = [
      "train({ engine, image, blobs: '20' });",
      "run.parameters().next().then(({ value }) => value!.rows);",
      "await decodeImage('mine.png', 'mine', 8);",
    ];
    await writeFile(
      join(folder, "wrong.ts"),
      files["main.ts"] + wrong.map((line) => `\n// @ts-expect-error\n${line}`).join(""),
    );
    const flags = "--strict --noEmit --target es2022 --module esnext --moduleResolution bundler".split(" ");
    const lib = ["--lib", "es2022,dom,dom.iterable", "--types", ""];
    await run(process.execPath, [join(modules, "typescript", "bin", "tsc"), ...flags, ...lib, "wrong.ts"], {
      cwd: folder,
    }).catch(({ stdout }) => assert.fail(stdout));
  });

  it("has the command line, which trains and reports without a checkout", async () => {
    const { bin } = await manifest();
    const photo = join(projectRoot, "data", "images", "astronaut.png");
    const file = join(folder, "node_modules", "splatbook", bin.splatbook);
    const splatbook = async (...args: string[]) => {
      return JSON.parse((await run(process.execPath, [file, ...args, "--json"], { cwd: folder })).stdout);
    };
    const training = ["--blobs", "9", "--steps", "20", "--pipeline", "cpu", "--tile", "16x16"];
    const { step, versions } = await splatbook("fit", photo, "--longest", "64", ...training);
    const { node: _, ...packages } = versions;
    assert.deepEqual([step, packages], [20, lockedVersions()]);
    await splatbook("report", "runs/astronaut");
    assert.match(await readFile(join(folder, "report.html"), "utf8"), /<article class="report"/);
  });

  it("can be published, and its modules need no package of the notebook or the command line", async () => {
    const { dependencies, optionalDependencies, private: isPrivate, license } = await manifest();
    assert.deepEqual([isPrivate, license], [undefined, "MIT"]);
    for (const name of ["@observablehq/framework", "commander", "esbuild", ...Object.keys(optionalDependencies)]) {
      assert.ok(!(name in dependencies), name);
    }
    assert.deepEqual(Object.keys(optionalDependencies), ["bullmq", "ioredis", "jsdom", "sharp", "webgpu"]);
  });

  it("leaves package.json as it was", async () => {
    const texts = [projectRoot, join(folder, "clone")].map((place) => readFile(join(place, "package.json"), "utf8"));
    const [before, after] = await Promise.all(texts);
    assert.equal(after, before);
  });
});

/**
 * Runs `npm pack` in a clone that shares the checkout's files.
 * @returns the packed file
 */
async function pack(clone: string): Promise<string> {
  await mkdir(clone);
  const names = ["LICENSE", "README.md", "package.json", "tsconfig.json"];
  await Promise.all([
    ...names.map((name) => cp(join(projectRoot, name), join(clone, name))),
    ...["node_modules", "shaders", "src"].map((name) =>
      symlink(join(projectRoot, name), join(clone, name), "junction"),
    ),
  ]);
  await run("npm", ["pack", "--silent"], { cwd: clone, shell: process.platform === "win32" });
  const name = (await readdir(clone)).find((file) => file.endsWith(".tgz"));
  return join(clone, name!);
}

/** Installs a packed file as npm does, with only the packages that it depends on. */
async function install(packed: string, place: string): Promise<void> {
  const installed = dirname(place);
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", packed, "-C", installed]);
  await rename(join(installed, "package"), place);
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    await mkdir(dirname(join(installed, name)), { recursive: true });
    await symlink(join(modules, name), join(installed, name), "junction");
  }
}
