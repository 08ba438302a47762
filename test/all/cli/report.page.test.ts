import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { describe, it, onTestFinished } from "vitest";
import { embeddedImages } from "../../../src/cli/report.js";
import { serveView } from "../../../src/cli/viewServer.js";
import { completeConfig } from "../../../src/engine/config.js";
import {
  gradientsFile,
  metricsFile,
  parametersFile,
  readMetrics,
  readParameters,
} from "../../../src/engine/files/arrow.js";
import { readRunDescription, writeRunDescription } from "../../../src/engine/files/runDescription.js";
import { runFiles } from "../../../src/engine/files/runFiles.js";
import { RunRecord } from "../../../src/engine/files/runRecord.js";
import { readTableInThread } from "../../../src/engine/files/tables.js";
import { initialState } from "../../../src/engine/training/initialState.js";
import { decodeImage } from "../../../src/host/node/imageFile.js";
import { documentOf } from "../../../src/report/html/document.js";
import { limitsFor } from "../../../src/report/html/embedLimits.js";
import { embedRun } from "../../../src/report/html/embedRun.js";
import { refusalOf, smallImage, splatbook, splatbookProcess, temporaryFolder } from "../../cli/command.js";
import { newContext, watchPage } from "../../support/browser.js";
import { openBrowser, readDownload, until } from "../../support/pages.js";
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

/** The charts of PSNR: of several runs, of each run. */
const psnrCharts = (page: Page) => page.getByRole("figure", { name: "PSNR", exact: true });

/** Words of sentences about controls. */
const controls = /slider|button|drag|zoom|click|^Columns$/im;

describe("splatbook report", () => {
  /** Opens a file from disk without a network, and records its requests and errors. */
  async function openFile(file: string): Promise<{ page: Page; noted: string[] }> {
    const context = await (await openBrowser()).newContext({ offline: true, colorScheme: "dark" });
    await context.addInitScript("delete Navigator.prototype.gpu");
    const page = await context.newPage();
    const noted: string[] = [];
    page.on("console", (message) => noted.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => noted.push(`exception: ${error.message}`));
    page.on("request", (request) => {
      if (request.url() !== pathToFileURL(file).href && !request.url().startsWith("data:")) noted.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    // Canvases have replaced the static images, and the charts have been drawn.
    await page.getByRole("article").locator("canvas").first().waitFor();
    await psnrCharts(page).last().locator("svg").waitFor();
    return { page, noted };
  }

  it("writes a run as a page that opens from disk, requests nothing, and has the run's numbers", async () => {
    const { code, stdout, stderr } = await splatbook(["report", first], { cwd: folder });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^report\.html: [\d,]+ bytes, [\d,]+ of them images\n$/);
    const { page, noted } = await openFile(join(folder, "report.html"));
    assert.equal(await page.locator("h1").innerText(), "first");
    const setting = page.getByRole("row", { name: /^learningRate / });
    assert.deepEqual(await setting.locator("td").allInnerTexts(), ["0.01", "0.002"]);
    assert.deepEqual(await page.getByRole("region", { name: "Film of the run" }).locator("strong").allInnerTexts(), [
      "the start",
      "step 4",
      "step 16",
      "step 20",
    ]);
    const distributions = page.getByRole("group", { name: / distributions$/ });
    assert.equal(await distributions.getByRole("figure").locator("svg").count(), 10);
    for (const file of [runFiles.metrics, runFiles.parameters]) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: file }).click(),
      ]);
      const bytes = await readDownload(download);
      const read = file === runFiles.metrics ? readMetrics : readParameters;
      assert.deepEqual(read(bytes), read(readFileSync(join(first, file))), file);
    }
    assert.deepEqual(noted, []);
    await page.context().close();
  });

  it("writes its content as HTML and SVG, result first, which needs no script and prints in colour", async () => {
    const { page, context } = await openWithoutScript(pathToFileURL(join(folder, "report.html")).href);
    const described = await assertStaticReport(page, first);
    assert.equal(await page.locator("h1").innerText(), "first");
    assert.equal(await page.locator(":is(button, input):visible:not(th > button)").count(), 0, "nothing to press");
    assert.doesNotMatch(await page.locator("main").innerText(), /slider|button|drag|zoom|click/i);
    const settings = page.locator("details").filter({ has: page.getByText("All settings", { exact: true }) });
    assert.equal(await settings.locator("dt").count(), Object.keys(described.config).length);
    await page.emulateMedia({ media: "print" });
    const errorMaps = page.getByRole("group", { name: "Error maps" });
    const bars = await errorMaps.locator("div").evaluateAll((nodes) =>
      nodes
        .map((node) => getComputedStyle(node))
        .filter(({ backgroundImage }) => backgroundImage.startsWith("linear-gradient"))
        .map(({ printColorAdjust }) => printColorAdjust),
    );
    assert.deepEqual(bars, ["exact"], "the colour bar prints");
    await context.close();
  });

  it("replaces no file without --force, not even a report", async () => {
    const out = join(folder, "there.html");
    writeFileSync(out, "of another user");
    const refusal = (path: string) => ({ code: 1, sentence: `${path} already exists. Replace it with --force.` });
    assert.deepEqual(await refusalOf(["report", first, "--out", out]), refusal(out));
    assert.equal(readFileSync(out, "utf8"), "of another user");
    const own = join(folder, "report.html");
    assert.deepEqual(await refusalOf(["report", first, "--out", own]), refusal(own));
  });

  it("writes several runs with an index and a section for each, and replaces a file with --force", async () => {
    const out = join(folder, "there.html");
    const { code, stdout } = await splatbook(["report", first, second, "--out", out, "--force", "--json"]);
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout).runs, ["first", "second"]);
    const { page, noted } = await openFile(out);
    assert.deepEqual(await page.locator("header tbody a").allInnerTexts(), ["first", "second"]);
    assert.equal(await page.locator('header [aria-label="line"] path').count(), 2);
    assert.deepEqual(await page.locator("article h1").allInnerTexts(), ["first", "second"]);
    await page.locator("header tbody a").nth(1).click();
    assert.ok(
      await page
        .locator("article h1")
        .nth(1)
        .evaluate((title) => title.getBoundingClientRect().top < innerHeight),
    );
    assert.deepEqual(noted, []);

    const ink = () => page.evaluate(() => getComputedStyle(document.body).getPropertyValue("--run-1"));
    assert.notEqual(await ink(), "#0a6bb5", "the browser likes it dark");
    await page.emulateMedia({ media: "print" });
    assert.equal(
      await page.locator(":is(button, input):visible:not(th > button)").count(),
      0,
      "nothing to press on paper",
    );
    assert.doesNotMatch(await page.locator("main").innerText(), controls);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.match(await background(), /^rgb\(255, 255, 255\)$|^rgba\(0, 0, 0, 0\)$/);
    assert.equal(await ink(), "#0a6bb5", "the colours of a white background");
    const pdf = await page.pdf({ format: "A4" });
    assert.ok((pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).length >= 3, "a page for each at least");
    await page.context().close();
  });

  it("shows several runs without a script too, result first, and escapes their names", async () => {
    const { page, context } = await openWithoutScript(pathToFileURL(join(folder, "there.html")).href);
    const articles = await page.locator("article").all();
    const elements = await Promise.all(
      articles.map((article) =>
        article
          .locator("*")
          .evaluateAll((all) => all.map((node) => [node.tagName, ...node.getAttributeNames()].join(" "))),
      ),
    );
    assert.equal(elements.length, 2);
    assert.deepEqual(elements[1], elements[0]);
    for (const article of articles) await assertStaticReport(article, first);
    const charts = page.locator("figure:visible").filter({ hasNot: page.locator("img, table") });
    assert.equal(await charts.count(), 5, "no empty chart, besides PSNR and loss");
    const text = await articles[1].textContent();
    assert.equal(text!.split(hostile).length - 1, 4, "in the summary, and where the run was recorded");
    await context.close();
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
    for (const [count, fewest, limit] of [
      [1, 4000, 1e6],
      [12, 500, 2e6],
      [40, 80, 2e6],
    ]) {
      const held = await embedRun(run, "large", limitsFor(count));
      const runs = Array.from({ length: count }, () => held);
      const html = await documentOf("large", runs);
      const length = Buffer.byteLength(html) - embeddedImages(html).join("").length;
      assert.ok(length < limit && held.run.blobs > fewest, `${count}: ${length} bytes, ${held.run.blobs} blobs`);
    }
  });

  it("rejects a broken run and another extension, each with an error, and writes nothing", async () => {
    const broken = join(folder, "broken");
    cpSync(first, broken, { recursive: true });
    rmSync(join(broken, "film", "000004.png"));
    const out = join(folder, "broken.html");
    const refused = await splatbook(["report", first, broken, "--out", out, "--quiet"]);
    assert.equal(refused.code, 1);
    assert.equal(refused.stderr, `The run ${broken} cannot be used: it has no film/000004.png.\n`);
    assert.equal(existsSync(out), false);
    const named = await splatbook(["report", first, "--out", "page.pdf"]);
    assert.equal(named.code, 2);
    assert.equal(named.stderr, `--out must be a file name that ends in .html, or - for stdout (got "page.pdf").\n`);
  });
});

describe("splatbook view", () => {
  it("renews its table and reports at each checkpoint, but no report that its reader has used", async () => {
    const root = join(folder, "runs");
    mkdirSync(root);
    const view = await serveView(root, "127.0.0.1", 0);
    onTestFinished(() => void view.close());
    const { port } = view.address() as AddressInfo;
    const context = await newContext(await openBrowser(), {
      origin: `http://127.0.0.1:${port}/`,
      webgpu: false,
    });
    const [{ page: table, complaints }, { page: run, complaints: others }] = await Promise.all(
      ["/", "/?run=long"].map((path) => watchPage(context, path)),
    );
    await table.getByText("0 runs in").waitFor();
    await run.getByText("There is no such run in this folder.").waitFor();
    cpSync(first, join(root, "short"), { recursive: true });
    const row = (name: string) => table.getByRole("row").filter({ hasText: name });
    await row("short").getByText("finished").waitFor();

    let child: ChildProcess | undefined;
    onTestFinished(() => void child?.kill("SIGKILL"));
    const options = ["--pipeline", "cpu", "--blobs", "12", "--checkpoint", "1", "--steps", "1000000"];
    const long = splatbookProcess(["fit", join(folder, "small.png"), ...options, "--out", join(root, "long")], {
      watch(_, started) {
        child = started;
      },
    });
    await row("long").getByText("training").waitFor();
    await psnrCharts(run).locator("svg").waitFor();
    const stepsOf = async () => /([\d,]+) steps/.exec(await run.locator(".report-summary").innerText())?.[1];
    const before = await stepsOf();
    await until(stepsOf, (steps) => steps !== undefined && steps !== before, "the steps of a later checkpoint");
    await run.getByRole("slider", { name: "Divider" }).fill("20");
    await run.getByRole("link", { name: "Show the later checkpoint" }).waitFor();
    assert.equal(await run.getByRole("slider", { name: "Divider" }).inputValue(), "20");
    await row("long").getByRole("link").focus();
    child!.kill("SIGINT");
    assert.equal((await long).code, 130);
    await row("long").getByText("stopped").waitFor();
    assert.equal(await table.evaluate(() => document.activeElement?.textContent), "long", "the focus stays");
    const { step } = JSON.parse(readFileSync(join(root, "long", runFiles.description), "utf8"));
    await row("long").getByText(step.toLocaleString("en-US"), { exact: true }).waitFor();
    await run.getByRole("link", { name: "Show the later checkpoint" }).click();
    await until(stepsOf, (steps) => steps === step.toLocaleString("en-US"), "the steps of the last checkpoint");
    assert.deepEqual([...complaints, ...others], []);
    view.close();
    await table.getByText("The command splatbook view has ended or cannot be reached.").waitFor();
    await context.close();
  });
});
