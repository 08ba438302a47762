import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";
import { afterAll, beforeAll, describe, it } from "vitest";
import { projectRoot } from "../src/cli/install.js";
import { newContext, watchPage } from "./support/browser.js";
import { openBrowser } from "./support/pages.js";
import { type StaticServer, serve } from "./support/server.js";

const run = promisify(execFile);

/** What somebody writes who has never seen this repository. */
const files = {
  "package.json": '{"type": "module"}',
  "index.html": '<title>Mine</title><script type="module" src="./main.ts"></script>',
  "main.ts": `
    import { type ChosenPicture, codePairs, decodePicture, openEngine, train } from "splatbook";

    const size = { width: 16, height: 12 };
    const data = new Uint8ClampedArray(4 * size.width * size.height).map((_, i) => (i % 4 === 3 ? 255 : (7 * i) % 256));
    const png = await new Promise<Blob | null>((done) => {
      const canvas = Object.assign(document.createElement("canvas"), size);
      canvas.getContext("2d")!.putImageData(new ImageData(data, size.width), 0, 0);
      canvas.toBlob(done);
    });
    const { image } = await decodePicture(png!, "mine.png", 8);

    const picture: ChosenPicture = { image: { ...size, data }, original: size, name: "mine" };
    const engine = await openEngine();
    const run = train({ engine, picture, blobs: 20, steps: 5, tile: [8, 8], gaussiansPerBlock: 32 });
    const steps: number[] = [];
    for await (const snapshot of run.snapshots()) {
      steps.push(snapshot.step);
      if (snapshot.step === run.until) break;
    }
    for await (const table of run.parameters()) {
      const [blob] = table;
      const step = Number(table.schema.metadata.get("step"));
      const pairing = { wgsl: { file: "shared/adam.wgsl", from: "fn loadAdam" }, twin: { file: "cpu/adam.ts" as const, from: "export function adamStep" }, marks: {} };
      const code = await codePairs(engine.shaders, [pairing]).catch((error: Error) => error.message);
      const told = { decoded: image.width, kind: engine.kind, config: run.config.pipeline, steps, step, rows: table.numRows, x: blob.center_x_decoded, code: String(code) };
      if (step < run.until) continue;
      document.body.dataset.told = JSON.stringify(told);
      break;
    }
    run.stop();`,
};

describe("the package of npm pack", () => {
  let folder: string;
  let server: StaticServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "splatbook-package-"));
    const project = join(folder, "project");
    await installIn(project, await pack(join(folder, "clone")));
    for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
    await build({ root: project, logLevel: "error", build: { target: "es2022", minify: false } });
    server = await serve(join(project, "dist"));
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("trains in a Vite project", async () => {
    const context = await newContext(await openBrowser(), { origin: server.origin, webgpu: false });
    const { page, complaints, foreign } = await watchPage(context, "/");
    const told = await page.waitForSelector("body[data-told]").then((body) => body.getAttribute("data-told"));
    console.log(told, complaints, foreign);
  });
  it("trains in a Vite project gpu", async () => {
    const context = await newContext(await openBrowser(), { origin: server.origin });
    const { page, complaints, foreign } = await watchPage(context, "/");
    const told = await page.waitForSelector("body[data-told]").then((body) => body.getAttribute("data-told"));
    console.log(told, complaints, foreign);
  });
});

/**
 * Packs as `npm pack` does in a clone, of which this is one that shares the checkout's files.
 * @returns the packed file
 */
async function pack(clone: string): Promise<string> {
  await mkdir(clone);
  for (const name of ["src", "shaders", "node_modules"]) await symlink(join(projectRoot, name), join(clone, name), "junction");
  for (const name of ["package.json", "tsconfig.json", "README.md", "LICENSE"]) await cp(join(projectRoot, name), join(clone, name));
  await run("npm", ["pack", "--silent"], { cwd: clone, shell: process.platform === "win32" });
  const name = (await readdir(clone)).find((file) => file.endsWith(".tgz"));
  return join(clone, name!);
}

/** Installs a packed file as npm does, and of all packages those alone that it asks for. */
async function installIn(project: string, packed: string): Promise<void> {
  const modules = join(project, "node_modules");
  await mkdir(modules, { recursive: true });
  await run("tar", ["-xzf", packed, "-C", modules]);
  await cp(join(modules, "package"), join(modules, "splatbook"), { recursive: true });
  await rm(join(modules, "package"), { recursive: true });
  const { dependencies } = JSON.parse(await readFile(join(modules, "splatbook", "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(projectRoot, "node_modules", name), join(modules, name), "junction");
  }
}
