import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { shaders } from "../support/gpu.js";
import { assertAccessible, openPage, until, type WatchedPage } from "../support/pages.js";

/** In the worker that trains: loses the device with its next step, and counts those that come after it. */
const loseDevice = `
  globalThis.opened = 0;
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = function (...args) {
    opened++;
    return requestDevice.apply(this, args);
  };
  const { createCommandEncoder } = GPUDevice.prototype;
  GPUDevice.prototype.createCommandEncoder = function (...args) {
    GPUDevice.prototype.createCommandEncoder = createCommandEncoder;
    this.destroy();
    return createCommandEncoder.apply(this, args);
  };
`;

/** A job that is soon done, so that trials and checks need not wait for it; and one that trains all along. */
const brief = "steps=40";
const long = "steps=1000000";

const file = "shared/blend.wgsl";
const clear = "0.0, 0.0, 0.0, 1.0";

describe("the page of kernels, on a software adapter", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage(`/kernels?${long}`, { emulation: { hasTouch: true } });
    page = watched.page;
  });

  const status = (state: string) => page.locator(`.kernel-status[data-state="${state}"]`).waitFor();
  const checked = (state: string) => page.locator(`.kernel-verdict[data-state="${state}"]`).waitFor();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  /** Holds the run, once it has begun, so that trials and checks have the adapter to themselves. */
  const hold = async () => {
    const step = () => page.locator(".run-bar dd").first().innerText();
    await until(step, (text) => Number.parseInt(text.replaceAll(",", ""), 10) > 10, "the step");
    await button("Pause").click();
  };
  const write = async (before: string, now: string) => {
    const text = shaders.get(file)!;
    assert.ok(text.includes(before), before);
    await page.getByRole("button", { name: file }).first().tap();
    await page.getByLabel(`WGSL of ${file}`).tap();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text.replace(before, now));
  };
  /** How much more red than blue the blobs' picture is, in the mean: of one picture, since the next may come meanwhile. */
  const redness = () =>
    page.getByLabel(/^Render at step/).evaluate((node) => {
      const { width, height } = node as HTMLCanvasElement;
      const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
      copy.drawImage(node as HTMLCanvasElement, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      return data.reduce((sum, value, at) => sum + value * [1, 0, -1, 0][at % 4], 0) / (width * height);
    });

  it("trains with the shipped kernels, whose gradients agree, and shows what a stage reads beside its twin", async () => {
    await hold();
    await checked("agrees");
    assert.match(await page.locator(".kernel-status").innerText(), /shipped kernels/);
    const stops = page.locator('.stages button[tabindex="0"]');
    assert.equal(await stops.count(), 1);
    const before = await stops.innerText();
    await stops.press("ArrowRight");
    assert.notEqual(await page.locator(".stages button:focus").innerText(), before);
    assert.equal(await stops.count(), 1);
    assert.match(await page.locator(".binding-table").innerText(), /targetImage\s+reads\s+array<u32>/);
    await page
      .getByLabel("CPU reference rasterize in model/binned/5-rasterize.ts")
      .getByText("export function rasterize")
      .waitFor();
    const [project, ...times] = await page.locator(".stage-time").allInnerTexts();
    assert.equal(project, "not in these steps", "updateBlobs projects for the next step");
    for (const time of times.slice(0, 6)) assert.match(time, /\d (µs|ms)$/);
  });

  it("tells an error at its line in the shared file that holds it, while training goes on", async () => {
    await status("running");
    await button("Run").click();
    // Nothing is painted that is not in sight, as when one writes.
    await page.getByLabel(/^Render at step/).waitFor();
    await write(`${clear}), 0u)`, `${clear}), 0.5)`);
    await status("wrong");
    const line =
      1 +
      shaders
        .get(file)!
        .split("\n")
        .findIndex((text) => text.includes(`${clear}), 0u)`));
    const message = page.locator(".kernel-messages li");
    assert.match(await message.innerText(), new RegExp(`${file}, line ${line} error: cannot convert`));
    await page.locator(".cm-lint-marker-error").waitFor();
    assert.match(await page.locator(".stages li.wrong").first().innerText(), /1 error/);
    await button("binned/5-rasterizeThread.wgsl").click();
    await page.getByRole("button", { name: `${file}, line ${line}` }).click();
    const active = page.getByLabel(`WGSL of ${file}`).locator(".cm-activeLine");
    await active.filter({ hasText: /0\.5\);$/ }).waitFor();
    await page.locator('.run-bar[data-state="running"]').waitFor();
    await hold();
  });

  it("says of an edit that the pipeline never calls who calls it, beside the editor, and trains on as it did", async () => {
    await write("let alongColor = dot(d.rgb, blob.rgb);", "let alongColor = 0.0;");
    await status("uncalled");
    const words = await page.locator(".kernel-verdict").innerText();
    assert.match(words, /alphaBlendBackward is not called by binned: choose simple or tiled to see it run\./);
    assert.doesNotMatch(words, /The gradient check (?:passed|failed)/);
    const size = page.viewportSize()!;
    for (const shown of [size, { width: 390, height: 844 }]) {
      await page.setViewportSize(shown);
      await page.getByLabel(`WGSL of ${file}`).evaluate((node) => node.scrollIntoView({ block: "end" }));
      const box = (await page.locator(".kernel-verdict").boundingBox())!;
      const hidden = await page.locator(".kernel-uncalled").evaluate((node) => {
        const { left, top, bottom } = node.getBoundingClientRect();
        return [top + 1, bottom - 1].filter((y) => !node.contains(document.elementFromPoint(left + 5, y)));
      });
      assert.deepEqual(hidden, [], `the verdict is out of sight at ${JSON.stringify(box)}`);
    }
    await page.setViewportSize(size);
  });

  it("trains with what compiles, marks it as changed, and says that its gradients agree no more", async () => {
    assert.ok(Math.abs(await redness()) > 2, "the picture is grey from the beginning");
    await write("pixel.a * blob.rgb, pixel.a *", "pixel.a * blob.rgb.bbb, pixel.a *");
    await status("running");
    assert.equal(await page.locator(".kernel-status").innerText(), "The page trains with your edits.");
    // The way back knows nothing of it.
    await checked("disagrees");
    assert.match(await page.locator(".gradient-check tr.wrong").first().innerText(), /✗/);
    await until(redness, (red) => Math.abs(red) <= 0.5, "redness");
    // Both at once, since training goes on; until there is a step of which both have one there is none of the edited.
    const drawn = () =>
      page
        .getByLabel(/^Render of the (shipped|edited) kernels at step/)
        .evaluateAll((pictures) => pictures.map(({ ariaLabel }) => /step \d+/.exec(ariaLabel!)![0]));
    const [shipped, edited] = await until(drawn, (steps) => steps.length === 2, "the steps that are drawn");
    assert.equal(shipped, edited);
    assert.deepEqual(await page.locator(".changed-files li").allInnerTexts(), [file]);
    await button("Show changes").click();
    await page.locator(".cm-deletedChunk").first().waitFor();
  });

  it("ends an endless loop, says where it is, and trains on with the last good kernels in this very browser", async () => {
    const place = "  return vec4f(pixel.rgb + blob.a";
    const text = shaders.get(file)!;
    const line = text.slice(0, text.indexOf(place)).split("\n").length;
    await write(place, `  var n = 0u; while (n < 2u) { n ^= 1u; }${place}`);
    await status("held");
    const told = await page.locator(".kernel-told").innerText();
    assert.ok(told.includes(`A loop does not seem to end: ${file}, line ${line}.`), told);
    assert.match(
      told,
      /Training continues with the last edits that ran well; these kernels do not run unless you choose Run anyway/,
    );
    const step = async () =>
      Number(/step (\d+)/.exec((await page.getByLabel(/^Render at step/).getAttribute("aria-label"))!)![1]);
    const before = await step();
    await until(step, (now) => now > before + 10, "the step");
    const red = await redness();
    assert.ok(Math.abs(red) < 0.5, `the last edits made it grey, and it is ${red} redder than blue`);
    await write("pixel.a * blob.rgb, pixel.a *", "pixel.a * blob.rgb.bbb, pixel.a *");
    await status("running");
  });

  it("gives them to the lab when the reader says so, which tells of it and gives them back", async () => {
    await hold();
    await button("Use edits in the lab").click();
    const lab = await page.context().newPage();
    await lab.goto(`/?blobs=8&steps=2&size=16&pipeline=binned&tile=8x8`);
    await lab.getByText(`The lab trains with your edited kernels: ${file}.`).waitFor();
    await lab.locator('.run-bar[data-state="done"]').waitFor();
    await lab.getByRole("button", { name: "Train with the shipped kernels" }).click();
    await lab.locator('.run-bar[data-state="done"]').waitFor();
    assert.equal(await lab.locator(".lab-kernels").count(), 0);
    await lab.close();
  });

  it("goes on with the last good kernels when others lose the device, and does not run those after a reload", async () => {
    await page.getByRole("button", { name: file }).first().click();
    await button("Revert file").click();
    await page.locator(".kernel-verdict").getByText("The page trains with the shipped kernels.").waitFor();
    await hold();
    await checked("agrees");
    await write("pixel.a * blob.rgb, pixel.a *", "pixel.a * blob.rgb.rrr, pixel.a *");
    await page.locator(".kernel-verdict").getByText("The page trains with your edits.").waitFor();
    const engine = page.workers().find((worker) => worker.url().includes("engineWorker"))!;
    await engine.evaluate(loseDevice);
    await status("held");
    assert.match(await page.locator(".kernel-told").innerText(), /^The device was lost while the edited kernels ran\./);
    // Also where it is held before its first step.
    await button("Pause").click();
    await checked("agrees");
    assert.equal(await engine.evaluate("opened"), 1);
    await page.goto(`/kernels?${brief}`);
    await status("held");
    assert.match(await page.locator(".kernel-told").innerText(), /do not run by themselves/);
    await button("Run anyway").click();
    await status("running");
    await button("Revert all files").click();
    await page.locator(".kernel-verdict").getByText("The page trains with the shipped kernels.").waitFor();
  });

  it("shows the kernels to read where there is no WebGPU, and says why they cannot run", async () => {
    const without = await openPage(`/kernels`, { webgpu: false });
    await without.page
      .getByText(
        "This browser has no WebGPU. No kernel can run here, but you can read each one next to its CPU reference.",
      )
      .waitFor();
    const text = without.page.getByLabel("WGSL of binned/5-rasterizeWorkgroup.wgsl");
    await text.getByText("fn main(workgroup").waitFor();
    assert.equal(await text.getAttribute("aria-readonly"), "true");
    // The twin is scrolled to its function, and the page stays where its reader begins.
    const twin = without.page.getByLabel("CPU reference rasterize in model/binned/5-rasterize.ts");
    await until(
      () => twin.evaluate((node) => node.closest(".cm-scroller")!.scrollTop),
      (top) => top > 0,
      "how far the twin is scrolled",
    );
    assert.equal(await without.page.evaluate(() => scrollY), 0);
    assert.equal(await without.page.getByRole("group", { name: "Training", exact: true }).count(), 0);
    assert.deepEqual(without.complaints, []);
    await without.page.context().close();
  });

  it("has asked nobody but its own origin, and complained of nothing but the reader's own errors", async () => {
    await assertAccessible(page);
    assert.deepEqual(watched.foreignRequests, []);
    assert.deepEqual(
      watched.complaints.filter((text) => !/WGSL|shader|Shader|pipeline/i.test(text)),
      [],
    );
  });
});
