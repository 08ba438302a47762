import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { beforeAll, describe, it } from "vitest";
import { readMetrics } from "../../../src/engine/files/arrow.js";
import { LabPage, riseInNode, smallImage } from "./labPage.js";

/** A small job for a slow software adapter: short lists, few tiles. */
const job = "preset=quality&blobs=24&steps=30&size=32&pipeline=binned&tile=8x8";

/** In the page: counts the devices that the main thread opens. */
const countDevices = `
  globalThis.devicesOfThePage = 0;
  const requestDevice = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = function (...args) {
    devicesOfThePage++;
    return requestDevice.apply(this, args);
  };
`;

/** In the training worker: loses the device at the next step. */
const loseDevice = `
  const { createCommandEncoder } = GPUDevice.prototype;
  GPUDevice.prototype.createCommandEncoder = function (...args) {
    GPUDevice.prototype.createCommandEncoder = createCommandEncoder;
    this.destroy();
    return createCommandEncoder.apply(this, args);
  };
`;

/** In the page: opens an engine, starts a job of very many steps, and restarts the engine. */
const restartEngine = `(async () => {
  const modules = await (await fetch("/_import/modules.json")).json();
  const moduleOf = (path) => import("/_import/" + modules[path]);
  const { openEngine } = await moduleOf("host/browser/engine.js");
  const { completeConfig } = await moduleOf("engine/config.js");
  const engine = await openEngine();
  const config = completeConfig({ pipeline: "binned", blobs: 8, tile: [8, 8] });
  const image = { width: 16, height: 16, data: new Uint8ClampedArray(4 * 16 * 16) };
  const open = (tile = config.tile) => engine.backend("binned").open({ ...config, tile }, image);
  const pipeline = await open();
  const hanging = pipeline.advance(1e9).catch((error) => error.name);
  engine.restart();
  await pipeline.free();
  const steps = await (await open()).advance(2);
  const refused = await open([1024, 1024]).catch((error) => [error.name, error.field]);
  engine.restart();
  return { hanging: await hanging, steps, refused };
})()`;

/** Returns the functions that ran, by module. */
function functionsRun({ source = "", functions }: Coverage[number]): string[] {
  const modules = [...source.matchAll(/\/\*! _import\/(\S+) \*\//g)];
  return functions
    .filter(({ ranges }) => ranges[0].count > 0)
    .map(({ functionName, ranges: [{ startOffset }] }) => {
      const module = modules.findLast(({ index }) => index <= startOffset)?.[1];
      // The bundler adds numbers to names that occur in several modules.
      return `${module}: ${functionName.replace(/\d+$/, "")}`;
    });
}

/** The functions of training, by module. */
const training: [files: string[], functions: string][] = [
  [["gpu/device", "gpu/pipeline", "gpu/atomic", "gpu/submitter", "gpu/compiler", "gpu/memory"], "\\w.*"],
  [["cpu/kernel", "model/renderTasks", "model/rasterize"], "\\w.*"],
  [["training/initialState"], "initialState"],
  [["training/densification"], "densify"],
];

type Coverage = Awaited<ReturnType<LabPage["page"]["coverage"]["stopJSCoverage"]>>;

describe("the lab, on a GPU", () => {
  let lab: LabPage;
  beforeAll(async () => {
    lab = await LabPage.open(`?${job}`, { script: countDevices });
    await lab.page.coverage.startJSCoverage({ resetOnNavigation: false });
  });

  const engineWorker = () => lab.page.workers().find((worker) => worker.url().includes("engineWorker"))!;

  it("learns an image as well as the CPU engine in Node", async () => {
    const { file, image } = await smallImage();
    await lab.chooseImage(file);
    await lab.page.getByText("cup.png is trained").waitFor();
    await lab.reaches("Done");
    const { config, rows } = readMetrics(await lab.download("metrics.arrow"));
    assert.equal(config.pipeline, "binned");
    assert.deepEqual([rows[0].step, rows.at(-1)?.step], [1, 30]);
    const here = await riseInNode(config, image);
    const there = rows.at(-1)!.psnr - rows[0].psnr;
    assert.ok(Math.abs(there - here) <= 0.3, `the PSNR rises by ${there} dB on the page, by ${here} dB in Node`);
  });

  it("trains again with another GAUSSIANS_PER_BLOCK, and draws the time per step of both runs", async () => {
    assert.equal(await lab.chosen("Tile list capacity (GAUSSIANS_PER_BLOCK)"), "auto");
    const times = lab.lines("Time per step against steps");
    const before = await times.count();
    await lab.control("Tile list capacity (GAUSSIANS_PER_BLOCK)").selectOption("64");
    await times.nth(before).waitFor();
    await lab.reaches("Done");
    const { config, rows } = readMetrics(await lab.download("metrics.arrow"));
    assert.deepEqual([config.pipeline, config.gaussiansPerBlock, rows.at(-1)?.step], ["binned", 64, 30]);
  });

  it("shows the error of a setting that exceeds the adapter's limits next to its control", async () => {
    const shown = lab.hint("Tile");
    await lab.control("Tile").selectOption("32x32");
    assert.match(await shown.innerText(), /^tile must be at most \d+ pixels, .* \(got "32x32"\)\./);
    await lab.control("Tile").selectOption("8x4");
    assert.doesNotMatch(await shown.innerText(), /must be/);
    await lab.turn("Blobs", 1e9);
    const refused =
      /^blobs must be at most [\d,]+ in the binned pipeline on this adapter \(got 1000000000\)\. Troubleshooting$/;
    assert.match(await lab.hint("Blobs").innerText(), refused);
    await lab.turn("Blobs", 24);
  });

  it("reports that the device was lost, and continues", async () => {
    await lab.turn("Steps", 100000);
    await lab.bar.getByText("of 100,000").waitFor();
    const before = await lab.untilStep((step) => step > 2);
    await engineWorker().evaluate(loseDevice);
    await lab.page
      .getByText("The GPU was lost 1 time. The run continues from its last readback on a new device.")
      .waitFor();
    await lab.untilStep((step) => step > before + 2);
    await lab.button("Pause").click();
    await lab.reaches("Paused");
  });

  it("ends a hanging GPU job on request, and opens another device", async () => {
    const ended = await lab.page.evaluate(restartEngine);
    assert.deepEqual(ended, { hanging: "DeviceLostError", steps: 2, refused: ["ConfigError", "tile"] });
  });

  it("trains only in a worker: the main thread opens no GPU and runs neither kernels nor CPU references", async () => {
    assert.equal(await lab.page.evaluate("devicesOfThePage"), 0);
    const functions = (await lab.page.coverage.stopJSCoverage()).flatMap(functionsRun);
    const ran = (file: string, name: string) => {
      assert.ok(existsSync(`src/engine/${file}.ts`), `${file} exists`);
      return functions.filter((run) => new RegExp(`engine/${file}\\..*\\.js: ${name}$`).test(run));
    };
    assert.ok(ran("training/trainer", "run").length > 0);
    const trained = training.flatMap(([files, name]) => files.flatMap((file) => ran(file, name)));
    assert.deepEqual(trained, []);
  });

  it("logs no errors, and sends no foreign requests", () => {
    assert.deepEqual(lab.watched.complaints, []);
    assert.deepEqual(lab.watched.foreignRequests, []);
  });

  it("trains on the main thread if workers have no GPU", async () => {
    const { page } = lab;
    await page.route(/\/engineWorker\./, async (route) => {
      const response = await route.fetch();
      const body = `delete WorkerNavigator.prototype.gpu;\n${await response.text()}`;
      await route.fulfill({ response, body });
    });
    await page.reload();
    await lab.untilStep((step) => step > 2);
    assert.equal(await page.evaluate("devicesOfThePage"), 1);
  });
});
