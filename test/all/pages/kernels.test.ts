import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { shaders } from "../../support/gpu.js";
import { assertAccessible, openPage, runBarOf, until, type WatchedPage, waitForRun } from "../../support/pages.js";

/** Runs in the training worker: loses the device at its next step, and counts the devices that are requested next. */
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

/** A job that ends soon, so that trials and checks have the adapter; and one that does not end. */
const brief = "steps=40&pipeline=binned";
const long = "steps=1000000&pipeline=binned";

const file = "shared/blend.wgsl";
const clear = "0.0, 0.0, 0.0, 1.0";

describe("the kernel page on a software adapter", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage(`/kernels?${long}`, { emulation: { hasTouch: true } });
    page = watched.page;
  });

  const verdict = () => page.getByRole("region", { name: "Status of your edits" });
  const says = (text: string | RegExp) => verdict().getByText(text).waitFor();
  const statuses = {
    running: "The page trains with your edits.",
    shipped: "The page trains with the shipped kernels.",
    wrong: "Compilation failed.",
    held: "Compiled, but not running.",
    uncalled: "Compiled, but never called.",
  };
  const status = (state: keyof typeof statuses) => says(statuses[state]);
  const checked = (result: "passed" | "failed") => says(new RegExp(`The gradient check.* ${result}:`));
  const stages = () => page.getByRole("list", { name: "Stages" });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  /** Pauses the run after its first steps, so that trials and checks have the adapter. */
  const pause = async () => {
    const step = () => runBarOf(page).getByRole("definition").first().innerText();
    await until(step, (text) => Number.parseInt(text.replaceAll(",", ""), 10) > 10, "the step");
    await button("Pause").click();
  };
  const write = async (before: string, after: string) => {
    const text = shaders.get(file)!;
    assert.ok(text.includes(before), before);
    await page.getByRole("button", { name: file }).first().tap();
    await page.getByLabel(`WGSL of ${file}`).tap();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text.replace(before, after));
  };
  /** Returns the mean of red minus blue of the current render. */
  const redness = () =>
    page.getByLabel(/^Render at step/).evaluate((node) => {
      const { width, height } = node as HTMLCanvasElement;
      const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
      copy.drawImage(node as HTMLCanvasElement, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      return data.reduce((sum, value, at) => sum + value * [1, 0, -1, 0][at % 4], 0) / (width * height);
    });

  it("trains with the shipped kernels, checks their gradients, and shows the buffers and the CPU reference of a stage", async () => {
    await pause();
    await checked("passed");
    await status("shipped");
    const stops = stages().locator('button[tabindex="0"]');
    assert.equal(await stops.count(), 1);
    const before = await stops.innerText();
    await stops.press("ArrowRight");
    assert.notEqual(await stages().locator(":focus").innerText(), before);
    assert.equal(await stops.count(), 1);
    const buffers = page.getByRole("table").filter({ has: page.getByRole("columnheader", { name: "binding" }) });
    assert.match(await buffers.innerText(), /targetImage\s+reads\s+array<u32>/);
    await page
      .getByLabel("CPU reference rasterize in model/binned/5-rasterize.ts")
      .getByText("export function rasterize")
      .waitFor();
    const [project, ...times] = await stages().getByRole("button").allInnerTexts();
    assert.match(project, /not in these steps$/, "updateBlobs projects for the next step");
    for (const time of times.slice(0, 6)) assert.match(time, /\d (µs|ms)$/);
  });

  it("shows an error at its line of a shared file, while training continues", async () => {
    await status("shipped");
    await button("Run").click();
    // The render is not painted while it is out of sight.
    await page.getByLabel(/^Render at step/).waitFor();
    await write(`${clear}), 0u)`, `${clear}), 0.5)`);
    await status("wrong");
    const line =
      1 +
      shaders
        .get(file)!
        .split("\n")
        .findIndex((text) => text.includes(`${clear}), 0u)`));
    const message = page.getByRole("list", { name: "Messages" }).getByRole("listitem");
    assert.match(await message.innerText(), new RegExp(`${file}, line ${line} error: cannot convert`));
    await page.locator(".cm-lint-marker-error").waitFor();
    await stages().getByRole("listitem").filter({ hasText: "1 error" }).first().waitFor();
    await button("binned/5-rasterizeThread.wgsl").click();
    await page.getByRole("button", { name: `${file}, line ${line}` }).click();
    const active = page.getByLabel(`WGSL of ${file}`).locator(".cm-activeLine");
    await active.filter({ hasText: /0\.5\);$/ }).waitFor();
    await waitForRun(page, "Training");
    await pause();
  });

  it("lists an edit that the pipeline never calls, with the pipelines that do, next to the editor", async () => {
    await write("let alongColor = dot(d.rgb, blob.rgb);", "let alongColor = 0.0;");
    await status("uncalled");
    const words = await verdict().innerText();
    assert.match(words, /alphaBlendBackward is not called by binned: choose simple or tiled to see it run\./);
    assert.doesNotMatch(words, /The gradient check (?:passed|failed)/);
    const size = page.viewportSize()!;
    for (const shown of [size, { width: 390, height: 844 }]) {
      await page.setViewportSize(shown);
      await page.getByLabel(`WGSL of ${file}`).evaluate((node) => node.scrollIntoView({ block: "end" }));
      const uncalled = verdict().getByText("is not called by binned");
      const hidden = await uncalled.evaluate((node) => {
        const { left, top, bottom } = node.getBoundingClientRect();
        return [top + 1, bottom - 1].filter((y) => !node.contains(document.elementFromPoint(left + 5, y)));
      });
      assert.deepEqual(hidden, [], `the status is hidden at a width of ${shown.width}`);
    }
    await page.setViewportSize(size);
  });

  it("trains with edits that compile, and reports that the gradients disagree", async () => {
    assert.ok(Math.abs(await redness()) > 2, "the render is grey from the start");
    await write("pixel.a * blob.rgb, pixel.a *", "pixel.a * blob.rgb.bbb, pixel.a *");
    await status("running");
    // The backward pass does not match the edit.
    await checked("failed");
    await page.getByRole("row").filter({ hasText: "✗" }).first().waitFor();
    await until(redness, (red) => Math.abs(red) <= 0.5, "redness");
    // Read both at once, since training continues; before their first common step only one is shown.
    const drawn = () =>
      page
        .getByLabel(/^Render of the (shipped|edited) kernels at step/)
        .evaluateAll((canvases) => canvases.map(({ ariaLabel }) => /step \d+/.exec(ariaLabel!)![0]));
    const [shipped, edited] = await until(drawn, (steps) => steps.length === 2, "the steps that are drawn");
    assert.equal(shipped, edited);
    const changed = page.locator("section").filter({ has: page.getByRole("heading", { name: "Changed files" }) });
    assert.deepEqual(await changed.getByRole("listitem").allInnerTexts(), [file]);
    await button("Show changes").click();
    await page.locator(".cm-deletedChunk").first().waitFor();
  });

  it("ends an endless loop, shows its line, and continues with the last good kernels", async () => {
    const statement = "  return vec4f(pixel.rgb + blob.a";
    const text = shaders.get(file)!;
    const line = text.slice(0, text.indexOf(statement)).split("\n").length;
    await write(statement, `  var n = 0u; while (n < 2u) { n ^= 1u; }${statement}`);
    await status("held");
    const notice = await page.getByRole("alert").innerText();
    assert.ok(notice.includes(`A loop does not seem to end: ${file}, line ${line}.`), notice);
    assert.match(
      notice,
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

  it("lends the edits to the lab on request, which shows it and restores its own", async () => {
    await pause();
    await button("Use edits in the lab").click();
    const lab = await page.context().newPage();
    await lab.goto(`/?blobs=8&steps=2&size=16&pipeline=binned&tile=8x8`);
    await lab.getByText(`The lab trains with your edited kernels: ${file}.`).waitFor();
    await waitForRun(lab, "Done");
    await lab.getByRole("button", { name: "Train with the shipped kernels" }).click();
    await waitForRun(lab, "Done");
    assert.equal(await lab.getByText("edited kernels").count(), 0);
    await lab.close();
  });

  it("continues with the last good kernels after a lost device, and does not run the others after a reload", async () => {
    await page.getByRole("button", { name: file }).first().click();
    await button("Revert file").click();
    await status("shipped");
    await pause();
    await checked("passed");
    await write("pixel.a * blob.rgb, pixel.a *", "pixel.a * blob.rgb.rrr, pixel.a *");
    await status("running");
    const engine = page.workers().find((worker) => worker.url().includes("engineWorker"))!;
    await engine.evaluate(loseDevice);
    await status("held");
    assert.match(await page.getByRole("alert").innerText(), /^The device was lost while the edited kernels ran\./);
    // Even if it pauses before its first step.
    await button("Pause").click();
    await checked("passed");
    assert.equal(await engine.evaluate("opened"), 1);
    await page.goto(`/kernels?${brief}`);
    await status("held");
    assert.match(await page.getByRole("alert").innerText(), /do not run by themselves/);
    await button("Run anyway").click();
    await status("running");
    await button("Revert all files").click();
    await status("shipped");
  });

  it("starts with tiled, where the suggested edits act, and switches to it from a pipeline that does not call them", async () => {
    await page.goto("/kernels?steps=2&size=64");
    const edits = page.getByRole("group", { name: "Edits to try" });
    const edit = (name: string) => edits.getByRole("button", { name, exact: true });
    assert.ok(await page.getByRole("radio", { name: /^tiled/ }).isChecked());
    const names = ["Square falloff", "No transmittance undo", "Wrong sign of colour gradients", "Revert edit"];
    assert.deepEqual(await edits.getByRole("button").allInnerTexts(), names);
    // suggestedEdits.gpu.test.ts checks the gradients of each.
    await edit("Square falloff").click();
    await status("running");
    await page.getByText("The gradient check fails.").waitFor();
    assert.ok(await edit("Square falloff").isDisabled());
    await edit("Revert edit").click();
    await status("shipped");
    await page.getByRole("radio", { name: /^binned/ }).click();
    await edit("Wrong sign of colour gradients").click();
    await status("uncalled");
    await edit("Switch to tiled").click();
    await page.getByRole("radio", { name: /^tiled/, checked: true }).waitFor();
    await status("running");
    assert.equal(await verdict().getByRole("button", { name: "Switch to tiled" }).count(), 0);
    await edit("Revert edit").click();
  });

  it("shows the kernels without WebGPU, and why they cannot run", async () => {
    const without = await openPage(`/kernels`, { webgpu: false });
    await without.page
      .getByText(
        "This browser has no WebGPU. No kernel can run here, but you can read each one next to its CPU reference.",
      )
      .waitFor();
    const text = without.page.getByLabel("WGSL of binned/5-rasterizeWorkgroup.wgsl");
    await text.getByText("fn main(workgroup").waitFor();
    assert.equal(await text.getAttribute("aria-readonly"), "true");
    // The CPU reference scrolls to its function, and the page stays at its top.
    const reference = without.page.getByLabel("CPU reference rasterize in model/binned/5-rasterize.ts");
    await until(
      () => reference.evaluate((node) => node.parentElement!.scrollTop),
      (top) => top > 0,
      "the scroll position of the CPU reference",
    );
    assert.equal(await without.page.evaluate(() => scrollY), 0);
    assert.equal(await without.page.getByRole("group", { name: "Training", exact: true }).count(), 0);
    assert.deepEqual(without.complaints, []);
    await without.page.context().close();
  });

  it("requests only its own origin, and logs only the reader's errors", async () => {
    await assertAccessible(page);
    assert.deepEqual(watched.foreignRequests, []);
    assert.deepEqual(
      watched.complaints.filter((text) => !/WGSL|shader|Shader|pipeline/i.test(text)),
      [],
    );
  });
});
