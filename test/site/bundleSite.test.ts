import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, it } from "vitest";
import { bundleSite } from "../../src/site/bundleSite.js";

/** A site as Framework builds it: pages and their modules, a package, and a worker that shares a module with the page. */
const files: Record<string, string> = {
  "package.json": '{"type": "module"}',
  "learn/page.html": `<head>
<link rel="stylesheet" href="../style.css">
<link rel="modulepreload" href="../_observablehq/client.aaaaaaaa.js">
<link rel="modulepreload" href="../_import/components/chart.aaaaaaaa.js">
<link rel="modulepreload" href="../_import/engine/count.aaaaaaaa.js">
<link rel="modulepreload" href="../_node/pack@1/index.aaaaaaaa.js">
</head>
<script type="module">
const {chart} = await import("../_import/components/chart.aaaaaaaa.js");
const {axis} = await import("../_import/learn/page.aaaaaaaa.js");
const {Inputs} = await import("../_node/late@1/index.aaaaaaaa.js");
</script>`,
  "other.html": `<head>
<link rel="modulepreload" href="./_observablehq/client.aaaaaaaa.js">
</head>
<script type="module">
const {chart} = await import("./_import/components/chart.aaaaaaaa.js");
</script>`,
  "help.html": `<head>
<link rel="modulepreload" href="./_observablehq/client.aaaaaaaa.js">
</head>
<script type="module">
</script>`,
  "_import/learn/page.aaaaaaaa.js": `
    import { add } from "../engine/count.aaaaaaaa.js";
    export const axis = () => add();`,
  "_observablehq/client.aaaaaaaa.js": "export const client = {};",
  "_node/pack@1/index.aaaaaaaa.js": 'export * from "../part@1/index.aaaaaaaa.js"; export default "pack";',
  "_node/part@1/index.aaaaaaaa.js": "export const part = {};",
  "_node/late@1/index.aaaaaaaa.js": "globalThis.late = true; export const late = {};",
  "_import/engine/count.aaaaaaaa.js": "export let count = 0; export const add = () => ++count;",
  "_import/components/chart.aaaaaaaa.js": `
    import { client } from "../../_observablehq/client.aaaaaaaa.js";
    import pack, { part } from "../../_node/pack@1/index.aaaaaaaa.js";
    import { add } from "../engine/count.aaaaaaaa.js";
    export const worker = import.meta.resolve("../host/addWorker.aaaaaaaa.js");
    export const file = new URL("../../_file/data.json", import.meta.url).href;
    export const chart = () => [client, pack, part, add()];
    export const late = () => import("../../_node/late@1/index.aaaaaaaa.js");
    export const editor = () => import("./editor.aaaaaaaa.js");
    export const checker = () => import("./checker.aaaaaaaa.js");`,
  "_npm/pack@1/bbbbbbbb.js": 'export const part = {}; export default "pack";',
  "_import/components/editor.aaaaaaaa.js": `
    import { parse } from "./parser.aaaaaaaa.js";
    import { add } from "../engine/count.aaaaaaaa.js";
    import pack from "../../_node/pack@1/index.aaaaaaaa.js";
    export const edit = () => [parse(), add(), pack];
    export const url = import.meta.url;`,
  "_import/components/checker.aaaaaaaa.js": `
    import { parse } from "./parser.aaaaaaaa.js";
    export const check = () => parse();
    export const more = () => import("./editor.aaaaaaaa.js");`,
  "_import/components/parser.aaaaaaaa.js":
    "let parsed = 0; globalThis.parser = true; export const parse = () => ++parsed;",
  "_import/components/unused.aaaaaaaa.js": `
    import { parse } from "./parser.aaaaaaaa.js";
    export const unused = () => parse();`,
  "_import/host/addWorker.aaaaaaaa.js": `
    import { add } from "../engine/count.aaaaaaaa.js";
    export const sum = add() + add();`,
};

describe("bundleSite()", () => {
  let site: string;
  const read = (file: string) => readFile(join(site, file), "utf8");
  const load = (file: string) => import(/* @vite-ignore */ pathToFileURL(join(site, file)).href);

  beforeAll(async () => {
    site = await mkdtemp(join(tmpdir(), "splatbook-bundle-"));
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(site, file)), { recursive: true });
      await writeFile(join(site, file), text);
    }
    await bundleSite(site);
  });
  afterAll(() => rm(site, { recursive: true }));

  it("evaluates each module once, whichever address it is imported by", async () => {
    const { chart } = await load("_import/components/chart.aaaaaaaa.js");
    const counter = await load("_import/engine/count.aaaaaaaa.js");
    const { client } = await load("_observablehq/client.aaaaaaaa.js");
    const { part } = await load("_node/pack@1/index.aaaaaaaa.js");
    assert.deepEqual(chart(), [client, "pack", part, 1]);
    assert.equal(chart()[0], client);
    assert.equal(chart()[2], part);
    assert.equal(counter.count, 3);
    counter.add();
    assert.equal(counter.count, 4);
  });

  it("adapts the relative addresses in modules", async () => {
    const { worker, file } = await load("_import/components/chart.aaaaaaaa.js");
    assert.equal(worker, pathToFileURL(join(site, "_import/host/addWorker.aaaaaaaa.js")).href);
    assert.equal(file, pathToFileURL(join(site, "_file/data.json")).href);
  });

  it("loads dynamic imports on demand", async () => {
    const { late } = await load("_import/components/chart.aaaaaaaa.js");
    assert.equal("late" in globalThis, false);
    assert.equal((await late()).late, (await load("_node/late@1/index.aaaaaaaa.js")).late);
  });

  it("evaluates each module of dynamic imports once, also if the page loads it too", async () => {
    const { editor, checker } = await load("_import/components/chart.aaaaaaaa.js");
    const counter = await load("_import/engine/count.aaaaaaaa.js");
    assert.equal("parser" in globalThis, false);
    const { check, more } = await checker();
    const { edit, url } = await editor();
    assert.equal((await more()).edit, edit);
    assert.equal(check(), 1);
    const { count } = counter;
    assert.deepEqual(edit(), [2, count + 1, "pack"]);
    const { unused } = await load("_import/components/unused.aaaaaaaa.js");
    assert.equal(unused(), 3);
    assert.equal(url, pathToFileURL(join(site, "_import/components/editor.aaaaaaaa.js")).href);
  });

  it("lists the addresses of the site's modules for cells", async () => {
    const names = JSON.parse(await read("_import/modules.json"));
    const components = ["chart", "checker", "editor", "parser", "unused"].map((name) => `components/${name}.js`);
    assert.deepEqual(Object.keys(names).sort(), [...components, "engine/count.js", "learn/page.js"]);
    const again = await load(`_import/${names["engine/count.js"]}`);
    const before = again.count;
    (await load("_import/components/chart.aaaaaaaa.js")).chart();
    assert.equal(again.count, before + 1);
  });

  it.each(["count", "client"])("changes the version if the name of a script changes: %s", async (script) => {
    const before = Object.values(JSON.parse(await read("_import/modules.json")));
    const other = await mkdtemp(join(tmpdir(), "splatbook-bundle-"));
    for (const [file, text] of Object.entries(files)) {
      const path = join(other, file.replace(`${script}.aaaaaaaa`, `${script}.bbbbbbbb`));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text.replaceAll(`${script}.aaaaaaaa`, `${script}.bbbbbbbb`));
    }
    await bundleSite(other);
    const after = JSON.parse(await readFile(join(other, "_import", "modules.json"), "utf8"));
    assert.notEqual(after["components/chart.js"], before[0]);
    await rm(other, { recursive: true });
  });

  it("bundles a worker into one file", async () => {
    assert.doesNotMatch(await read("_import/host/addWorker.aaaaaaaa.js"), /import ?[{"]/);
    assert.equal((await load("_import/host/addWorker.aaaaaaaa.js")).sum, 3);
  });

  const preloadedBy = async (page: string) =>
    Array.from((await read(page)).matchAll(/modulepreload" href="([^"]+)"/g), ([, href]) => href);

  it("makes a page preload its bundles, and only the modules that its script imports", async () => {
    const preloaded = await preloadedBy("learn/page.html");
    assert.match(preloaded[0], /^\.\.\/_import\/site\.[0-9a-f]{8}\.js$/);
    const version = preloaded[0].slice(-11, -3);
    assert.match(preloaded[1], new RegExp(`^\\.\\./_import/part\\d+\\.${version}\\.js$`));
    const chart = `../_import/components/chart.aaaaaaaa.js?${version}`;
    assert.deepEqual(preloaded.slice(2), ["../_observablehq/client.aaaaaaaa.js", chart]);
    assert.ok((await read("learn/page.html")).includes(`await import("${chart}")`));
    const site = preloaded[0].slice(1);
    assert.deepEqual(await preloadedBy("other.html"), [site, "./_observablehq/client.aaaaaaaa.js"]);
    assert.deepEqual(await preloadedBy("help.html"), ["./_observablehq/client.aaaaaaaa.js"]);
  });
});
