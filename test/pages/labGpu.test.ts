import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { readMetrics } from "../../src/engine/arrow.js";
import { launchBrowser } from "../support/browser.js";
import { type StaticServer, serve } from "../support/server.js";
import { builtSite } from "../support/site.js";
import { LabPage, riseInNode, smallPicture } from "./labPage.js";

/** Small, since a software adapter takes its time: short lists, few tiles. */
const job = "blobs=24&steps=30&size=32&pipeline=binned&tile=8x8&gaussiansPerBlock=16&learningRate=0.02";

/** Lets a test lose the devices that the page opens. */
const keepDevices = `
  const requestDevice = GPUAdapter.prototype.requestDevice;
  globalThis.openedDevices = [];
  GPUAdapter.prototype.requestDevice = async function (...args) {
    const device = await requestDevice.apply(this, args);
    openedDevices.push(device);
    return device;
  };
`;

describe("the lab, on a GPU", () => {
  let server: StaticServer;
  let browser: Browser;
  let lab: LabPage;
  before(async () => {
    server = await serve(await builtSite());
    browser = await launchBrowser();
    lab = await LabPage.open(browser, server.origin, `?${job}`, keepDevices);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it("learns a picture as well as the CPU engine does in Node", async () => {
    const { file, image } = await smallPicture();
    await lab.choosePicture(file);
    await lab.page.getByText("cup.png is learned").waitFor();
    await lab.reaches("done");
    const { config, rows } = readMetrics(await lab.download("metrics.arrow"));
    assert.equal(config.pipeline, "binned");
    assert.deepEqual([rows[0].step, rows.at(-1)?.step], [1, 30]);
    const here = await riseInNode(config, image);
    const there = rows.at(-1)!.psnr - rows[0].psnr;
    assert.ok(Math.abs(there - here) <= 0.3, `the PSNR rises by ${there} dB on the page, by ${here} dB in Node`);
  });

  it("tells a setting that the adapter cannot hold, beside its control", async () => {
    const shown = lab.hint("Tile");
    await lab.control("Tile").selectOption("32x32");
    assert.match(await shown.innerText(), /^tile is "32x32", but must be at most \d+ pixels/);
    await lab.control("Tile").selectOption("8x4");
    assert.doesNotMatch(await shown.innerText(), /must be/);
  });

  it("tells that the device was lost, and goes on", async () => {
    await lab.turn("Steps", 100000);
    const before = await lab.untilStep((step) => step > 2);
    await lab.page.evaluate("openedDevices.at(-1).destroy()");
    await lab.page
      .getByText("The GPU was lost 1 time; the run goes on from its last readback, on a new one.")
      .waitFor();
    await lab.untilStep((step) => step > before + 2);
    assert.equal(await lab.page.evaluate("openedDevices.length"), 2);
    await lab.button("Pause").click();
    await lab.reaches("paused");
  });

  it("has complained of nothing, and asked nobody but its own origin", () => {
    assert.deepEqual(lab.watched.complaints, []);
    assert.deepEqual(lab.watched.foreign, []);
  });
});
