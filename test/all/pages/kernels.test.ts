import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { shaders } from "../../support/gpu.js";
import { assertAccessible, openPage, runBarOf, until, type WatchedPage } from "../../support/pages.js";
import { loseDevice } from "./labPage.js";

const file = "shared/blend.wgsl";
const text = shaders.get(file)!;
const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split("\n").length;

describe("the kernel page on a software adapter", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage("/kernels?blobs=40&size=32&steps=1000000&pipeline=tiled");
    page = watched.page;
  });

  const verdict = () => page.getByRole("region", { name: "Status of your edits" });
  const statuses = {
    running: "The page trains with your edits.",
    shipped: "The page trains with the shipped kernels.",
    wrong: "Compilation failed.",
    held: "Compiled, but not running.",
  };
  const status = (state: keyof typeof statuses) => verdict().getByText(statuses[state]).waitFor();
  const checked = (result: "passed" | "failed") =>
    verdict()
      .getByText(new RegExp(`The gradient check.* ${result}:`))
      .waitFor();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const step = async () => {
    const words = await runBarOf(page).getByRole("definition").first().innerText();
    return Number.parseInt(words.replaceAll(",", ""), 10);
  };
  const pause = async () => {
    await until(step, (now) => now > 0, "the step");
    await button("Pause").click();
  };
  const write = async (before: string, after: string) => {
    assert.ok(text.includes(before), before);
    await page.getByRole("button", { name: file }).first().click();
    await page.getByLabel(`WGSL of ${file}`).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text.replace(before, after));
  };

  it("trains with the shipped kernels, checks their gradients, and shows the CPU reference of a stage", async () => {
    await pause();
    await checked("passed");
    await status("shipped");
    await page
      .getByLabel("CPU reference differentiate in model/rasterize.ts")
      .getByText("export function differentiate")
      .waitFor();
    const stages = page.getByRole("list", { name: "Stages" }).getByRole("button");
    await stages
      .nth(1)
      .filter({ hasText: /\d (µs|ms)/ })
      .waitFor();
  });

  it("suggests an edit without the undo, trains with it, and reports that the gradients disagree", async () => {
    await page
      .getByRole("group", { name: "Edits to try" })
      .getByRole("button", { name: "No transmittance undo" })
      .click();
    await status("running");
    await page.getByText("The gradient check fails.").waitFor();
    await checked("failed");
    await page.getByRole("row").filter({ hasText: "✗" }).first().waitFor();
    await button(`${file} (changed)`).first().waitFor();
    await button("Show changes").click();
    await page.locator(".cm-deletedChunk").first().waitFor();
    await pause();
  });

  it("ends an endless loop, shows its line, and continues with the last good kernels", async () => {
    const statement = "  return vec4f(pixel.rgb + blob.a";
    await write(statement, `  var n = 0u; while (n < 2u) { n ^= 1u; }${statement}`);
    await status("held");
    const notice = await page.getByRole("alert").innerText();
    assert.ok(notice.includes(`A loop does not seem to end: ${file}, line ${lineOf(statement)}.`), notice);
    assert.match(notice, /Training continues with the last edits that ran well/);
    const before = await step();
    await button("Run").click();
    await until(step, (now) => now > before, "the step");
  });

  it("continues after a lost device, and does not run the edits of that time after a reload", async () => {
    // A trial beside training is slow.
    await pause();
    await write("pixel.a * blob.rgb, pixel.a *", "pixel.a * blob.rgb.rrr, pixel.a *");
    await status("running");
    const engine = page.workers().find((worker) => worker.url().includes("engineWorker"))!;
    await engine.evaluate(loseDevice);
    await status("held");
    assert.match(await page.getByRole("alert").innerText(), /^The device was lost while the edited kernels ran\./);
    await assertAccessible(page);
    watched.complaints.splice(0);
    await page.goto("/kernels?blobs=40&size=32&steps=4&pipeline=tiled");
    await status("held");
    await button("Run anyway").click();
    await status("running");
    await button("Revert all files").click();
    await status("shipped");
  });

  it("shows the kernels without WebGPU, and why they cannot run", async () => {
    const { page: without } = await openPage("/kernels", { webgpu: false });
    await without.getByText("WebGPU is not available. No kernel can run here").waitFor();
    const wgsl = without.getByLabel("WGSL of binned/5-rasterize.wgsl");
    await wgsl.getByText("override DRAWS").waitFor();
    assert.equal(await wgsl.getAttribute("aria-readonly"), "true");
    assert.equal(await runBarOf(without).count(), 0);
  });
});
