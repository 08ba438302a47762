import assert from "node:assert/strict";
import { beforeAll, describe, it } from "vitest";
import { readMetrics } from "../../../src/engine/files/arrow.js";
import { LabPage, loseDevice, riseInNode, smallImage } from "./labPage.js";

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

describe("the lab, on a GPU", () => {
  let lab: LabPage;
  beforeAll(async () => {
    lab = await LabPage.open(`?${job}`, { script: countDevices });
  });

  it("learns an image in a worker as well as the CPU engine in Node, also with shorter tile lists", async () => {
    const { file, image } = await smallImage();
    await lab.chooseImage(file);
    await lab.page.getByText("cup.png is trained").waitFor();
    await lab.page.getByLabel("Target: cup.png").waitFor();
    await lab.control("Tile list capacity (GAUSSIANS_PER_BLOCK)").selectOption("64");
    await lab.page.getByText("tile list capacity (GAUSSIANS_PER_BLOCK) auto").first().waitFor();
    await lab.reaches("Done");
    const { config, rows } = readMetrics(await lab.download("metrics.arrow"));
    assert.deepEqual([config.pipeline, config.gaussiansPerBlock], ["binned", 64]);
    assert.deepEqual([rows[0].step, rows.at(-1)?.step], [1, 30]);
    const here = await riseInNode(config, image);
    const there = rows.at(-1)!.psnr - rows[0].psnr;
    assert.ok(Math.abs(there - here) <= 0.3, `the PSNR rises by ${there} dB on the page, by ${here} dB in Node`);
    assert.equal(await lab.page.evaluate("devicesOfThePage"), 0);
  });

  it("shows the error of a setting that exceeds the adapter's limits next to its control", async () => {
    await lab.control("Tile").selectOption("32x32");
    assert.match(await lab.hint("Tile").innerText(), /^tile must be at most \d+ pixels, .* \(got "32x32"\)\./);
    await lab.control("Tile").selectOption("8x8");
    assert.doesNotMatch(await lab.hint("Tile").innerText(), /must be/);
  });

  it("reports that the device was lost, and continues", async () => {
    await lab.turn("Steps", 100000);
    await lab.bar.getByText("of 100,000").waitFor();
    const before = await lab.untilStep((step) => step > 2);
    const worker = lab.page.workers().find((worker) => worker.url().includes("engineWorker"))!;
    await worker.evaluate(loseDevice);
    await lab.page
      .getByText("The GPU was lost 1 time. The run continues from its last readback on a new device.")
      .waitFor();
    await lab.untilStep((step) => step > before + 2);
    await lab.button("Pause").click();
    await lab.reaches("Paused");
  });

  it("says that a run diverged, marks it in the chart, and keeps its last finite state", async () => {
    const { page } = lab;
    await lab.visit("?blobs=24&steps=100000&size=32&pipeline=binned&parameterization=direct&learningRate=10");
    await lab.reaches("Stopped");
    const [sentence] = await lab.bar.getByText(/is NaN at step/).allInnerTexts();
    assert.match(sentence, /^Diverged: \w+ of blob \d+ is NaN at step \d+\. Change a setting or restart\.$/);
    await page
      .getByLabel("PSNR against steps")
      .locator("title", { hasText: /^Diverged: / })
      .waitFor({ state: "attached" });
    const { rows } = readMetrics(await lab.download("metrics.arrow"));
    assert.ok(rows.every(({ loss }) => Number.isFinite(loss)));
    await lab.button("Save").click();
    await lab.bar.getByText("Saved", { exact: true }).waitFor();
  });

  it("trains on the main thread if workers have no GPU", async () => {
    await lab.page.route(/\/engineWorker\./, async (route) => {
      const response = await route.fetch();
      const body = `delete WorkerNavigator.prototype.gpu;\n${await response.text()}`;
      await route.fulfill({ response, body });
    });
    await lab.page.goto(`/?${job}`);
    await lab.untilStep((step) => step > 2);
    assert.equal(await lab.page.evaluate("devicesOfThePage"), 1);
    // The message that the address has no image moves the page.
    lab.watched.complaints.splice(0);
  });
});
