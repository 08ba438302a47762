import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, it, onTestFinished } from "vitest";
import { embeddedImages } from "../../../src/cli/report.js";
import { serveView } from "../../../src/cli/viewServer.js";
import { completeConfig } from "../../../src/engine/config.js";
import { gradientsFile, metricsFile, parametersFile, readMetrics } from "../../../src/engine/files/arrow.js";
import { readRunDescription, writeRunDescription } from "../../../src/engine/files/runDescription.js";
import { runFiles } from "../../../src/engine/files/runFiles.js";
import { RunRecord } from "../../../src/engine/files/runRecord.js";
import { readTableInThread } from "../../../src/engine/files/tables.js";
import { initialState } from "../../../src/engine/training/initialState.js";
import { decodeImage } from "../../../src/host/node/imageFile.js";
import { documentOf, runToEmbed } from "../../../src/report/html/document.js";
import { refusalOf, smallImage, splatbook, temporaryFolder } from "../../cli/command.js";
import { newContext, watchPage } from "../../support/browser.js";
import { openBrowser, readDownload } from "../../support/pages.js";
import { assertStaticReport, openWithoutScript } from "../../support/staticReport.js";

const folder = temporaryFolder();
const first = join(folder, "first");
const second = join(folder, "second");
const fit = ["fit", await smallImage(folder), "--pipeline", "cpu", "--blobs", "12", "--steps", "20", "--quiet"];
await splatbook([...fit, "--learning-rate", "0.01", "--out", first]);
cpSync(first, second, { recursive: true });
// The second run differs only in its names.
const hostile = `</script><script>throw 1</script>"><img src="x" onerror="throw 1">`;
const description = JSON.parse(readFileSync(join(second, runFiles.description), "utf8"));
Object.assign(description, { adapter: hostile, host: hostile });
description.image.name = hostile;
writeFileSync(join(second, runFiles.description), JSON.stringify(description));

describe("splatbook report", () => {
  const out = join(folder, "report.html");

  it("writes runs as a page that opens from disk, requests nothing, and has their numbers and files", async () => {
    const { code, stdout, stderr } = await splatbook(["report", first, second, "--out", out, "--json"]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout).runs, ["first", "second"]);
    const emulation = { offline: true, colorScheme: "dark" as const };
    const context = await newContext(await openBrowser(), { webgpu: false, emulation });
    const requested: string[] = [];
    context.on("request", (request) => {
      const url = request.url();
      if (url !== pathToFileURL(out).href && !url.startsWith("data:")) requested.push(url);
    });
    const { page, complaints } = await watchPage(context, pathToFileURL(out).href);
    assert.equal(await page.locator("script, button, select, canvas").count(), 0, "nothing that needs a script");
    assert.deepEqual(await page.locator("header tbody a").allInnerTexts(), ["first", "second"]);
    const article = page.getByRole("article").first();
    const setting = article.locator(".settings div").filter({ hasText: "learningRate" });
    assert.equal(await setting.locator("dd").innerText(), "0.01 instead of 0.002");
    for (const file of [runFiles.description, runFiles.metrics, runFiles.parameters, runFiles.gradients]) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        article.getByRole("link", { name: file }).click(),
      ]);
      assert.deepEqual(await readDownload(download), readFileSync(join(first, file)), file);
    }
    assert.deepEqual([...complaints, ...requested], []);
    await context.close();
  });

  it("writes its content as HTML and SVG, which needs no script, prints in colour, and escapes names", async () => {
    const { page, context } = await openWithoutScript(pathToFileURL(out).href);
    const articles = await page.locator("article").all();
    const elements = articles.map((article) =>
      article
        .locator("*")
        .evaluateAll((all) => all.map((node) => [node.tagName, ...node.getAttributeNames()].join(" "))),
    );
    assert.deepEqual(await elements[1], await elements[0]);
    for (const article of articles) await assertStaticReport(article, first);
    assert.ok((await articles[1].textContent())!.includes(hostile));
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.getByText("Files", { exact: true }).first().isVisible(), false, "nothing to press");
    const bars = await page
      .locator(".error-ramp i")
      .evaluateAll((nodes) =>
        nodes.map((node) => getComputedStyle(node)).map((s) => [s.backgroundImage, s.printColorAdjust]),
      );
    assert.ok(bars.some(([image, adjust]) => image.startsWith("linear-gradient") && adjust === "exact"));
    await context.close();
  });

  it("replaces no file without --force, not even a report", async () => {
    const refusal = { code: 1, sentence: `${out} already exists. Replace it with --force.` };
    assert.deepEqual(await refusalOf(["report", first, "--out", out]), refusal);
    assert.equal((await splatbook(["report", first, "--out", out, "--force"])).code, 0);
  });

  it("stays below 1 MB besides its images for any number of blobs, and below 2 MB for several runs", async () => {
    const config = completeConfig({ blobs: 40960, preset: "quality", pipeline: "cpu" });
    const target = await decodeImage(join(first, runFiles.target));
    const state = { ...initialState(config, target), step: 20 };
    const described = readRunDescription(readFileSync(join(first, runFiles.description), "utf8"));
    const { rows } = readMetrics(readFileSync(join(first, runFiles.metrics)));
    const many = Array.from({ length: 1000 }, (_, i) => ({
      ...rows[i % rows.length],
      step: i + 1,
      loss: Math.random(),
    }));
    const files: Record<string, Uint8Array> = {
      [runFiles.description]: new TextEncoder().encode(writeRunDescription({ ...described, config, files: undefined })),
      [runFiles.parameters]: parametersFile(config, target, state),
      [runFiles.gradients]: gradientsFile(config, [{ step: 21, gradients: state.parameters.map(() => Math.random()) }]),
      [runFiles.metrics]: metricsFile(config, many),
    };
    const run = await RunRecord.open({
      name: "large",
      read: async (file) => files[file] ?? readFileSync(join(first, file)),
      readTable: readTableInThread,
      decode: (_, file) => decodeImage(join(first, file)),
      refusal: (why) => new Error(why),
    });
    for (const [count, limit] of [
      [1, 1e6],
      [4, 2e6],
    ]) {
      const embedded = await runToEmbed(run, "large", count);
      const html = await documentOf(
        "large",
        Array.from({ length: count }, () => embedded),
      );
      const length = Buffer.byteLength(html) - embeddedImages(html).join("").length;
      assert.ok(length < limit, `${count}: ${length} bytes`);
      assert.ok(html.includes(`download="${runFiles.metrics}"`));
    }
  });

  it("has exact images of up to 1,600 pixels, and reduces larger ones", async () => {
    const [wide, html] = [join(folder, "wide"), join(folder, "wide.html")];
    mkdirSync(wide);
    const image = await smallImage(wide, 2000, 50);
    await splatbook(["fit", image, "--pipeline", "cpu", "--blobs", "9", "--steps", "2", "--out", join(wide, "run")]);
    await splatbook(["report", join(wide, "run"), "--out", html, "--quiet"]);
    const kinds = (path: string) => embeddedImages(readFileSync(path, "utf8")).map((address) => address.slice(11, 15));
    assert.deepEqual([kinds(html).filter((kind) => kind === "webp").length, kinds(out).includes("webp")], [3, false]);
    const exact = `data:image/png;base64,${readFileSync(join(first, runFiles.target), "base64")}`;
    assert.ok(embeddedImages(readFileSync(out, "utf8")).includes(exact));
    const context = await newContext(await openBrowser(), { webgpu: false });
    const { page } = await watchPage(context, pathToFileURL(html).href);
    const target = page.locator(".triptych img").first();
    const size = await target.evaluate((node: HTMLImageElement) => [node.naturalWidth, node.naturalHeight]);
    assert.deepEqual(size, [1600, 40]);
    await page.getByText("They are reduced to 1600 × 40 pixels;").waitFor();
    await context.close();
  });

  it("rejects a broken run and another extension, each with an error, and writes nothing", async () => {
    const broken = join(folder, "broken");
    cpSync(first, broken, { recursive: true });
    rmSync(join(broken, "film", "000004.png"));
    const other = join(folder, "broken.html");
    const refused = await splatbook(["report", first, broken, "--out", other, "--quiet"]);
    assert.equal(refused.code, 1);
    assert.equal(refused.stderr, `The run ${broken} cannot be used: it has no film/000004.png.\n`);
    assert.equal(existsSync(other), false);
    const named = await splatbook(["report", first, "--out", "page.pdf"]);
    assert.equal(named.code, 2);
    assert.equal(named.stderr, `--out must be a file name that ends in .html, or - for stdout (got "page.pdf").\n`);
  });
});

describe("splatbook view", () => {
  it("renews its table and reports when a run changes", async () => {
    const root = join(folder, "runs");
    mkdirSync(root);
    const long = join(root, "long");
    const trainTo = async (step: number) => {
      const start = existsSync(long) ? ["fit", "--resume", long, "--quiet"] : [...fit, "--out", long];
      const { code, stderr } = await splatbook([...start, "--steps", String(step)]);
      assert.equal(code, 0, stderr);
    };
    const view = await serveView(root, "127.0.0.1", 0);
    onTestFinished(() => void view.close());
    const { port } = view.address() as AddressInfo;
    const context = await newContext(await openBrowser(), { origin: `http://127.0.0.1:${port}/`, webgpu: false });
    const pages = await Promise.all(["/", "/?run=long"].map((path) => watchPage(context, path)));
    const [table, run] = pages.map(({ page }) => page);
    const shows = (steps: number) => run.locator(".report-summary").getByText(` ${steps} steps`).waitFor();
    await table.getByText("0 runs in").waitFor();
    await run.getByText("There is no such run in this folder.").waitFor();
    await trainTo(10);
    await table.getByRole("row").filter({ hasText: "long" }).getByText("finished").waitFor();
    await shows(10);
    await table.getByRole("link", { name: "long" }).focus();
    await trainTo(11);
    await shows(11);
    await table.getByRole("cell", { name: "11", exact: true }).first().waitFor();
    assert.equal(await table.evaluate(() => document.activeElement?.textContent), "long", "the focus stays");
    await trainTo(12);
    await shows(12);
    assert.deepEqual(
      pages.flatMap(({ complaints }) => complaints),
      [],
    );
    view.close();
    // As the end of its process does. A page that is just asking would keep its connection.
    view.closeAllConnections();
    await table.getByText("The command splatbook view has ended or cannot be reached.").waitFor();
    await context.close();
    // Both ask a server that is gone.
    for (const { complaints } of pages) complaints.splice(0);
  });
});
