import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { bringIntoView, openPage, until, type WatchedPage } from "../../../support/pages.js";

describe("the chapter on one blob", () => {
  let watched: WatchedPage;
  let page: Page;
  /** The loss before the first step. */
  let start: number;
  beforeAll(async () => {
    watched = await openPage("/learn/blob", { webgpu: false });
    page = watched.page;
    await page.getByRole("button", { name: "Take a step" }).waitFor();
    start = await becomes(loss, (now) => now > 0.08, "the loss");
  });

  const fact = (name: string) => page.locator("dl > div").filter({ hasText: name }).locator("dd").first().innerText();
  const loss = async () => Number(await fact("loss L"));
  const center = async () => (await fact("centre μ")).split(", ").map(Number);
  const blob = () => page.getByRole("button", { name: /^Blob: the arrow keys move it/ });
  const field = (name: string) => page.getByRole("spinbutton", { name, exact: true });
  const image = () => page.getByRole("img", { name: "The image that the blob draws" });
  const stageSize = () =>
    image().evaluate((node) => {
      const { width, height } = node as HTMLCanvasElement;
      return `${width} × ${height}`;
    });
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const becomes = <T>(read: () => Promise<T>, isRight: (value: T) => boolean, what: string) =>
    until(read, isRight, what);

  it("draws the blob where it is dragged, and lowers the loss over the target", async () => {
    const before = await loss();
    await bringIntoView(image());
    const box = (await image().boundingBox())!;
    const at = (x: number, y: number) =>
      [box.x + ((x + 0.5) / 32) * box.width, box.y + ((y + 0.5) / 32) * box.height] as const;
    await page.mouse.move(...at(12, 20));
    await page.mouse.down();
    await page.mouse.move(...at(20, 12), { steps: 4 });
    await page.mouse.up();
    await becomes(center, ([x, y]) => Math.hypot(x - 20, y - 12) < 0.3, "the centre");
    await becomes(loss, (now) => now < before, "the loss");
  });

  it("moves, rotates, lengthens and widens the blob by keys, and by its sliders", async () => {
    const [x, y] = await center();
    await blob().press("ArrowRight");
    await blob().press("ArrowUp");
    await becomes(center, ([nextX, nextY]) => nextX === x + 1 && nextY === y - 1, "the centre");
    const covariance = () => fact("covariance Σ");
    for (const keys of ["Shift+ArrowRight", "Shift+ArrowUp", "Alt+ArrowDown"]) {
      const before = await covariance();
      await blob().press(keys);
      await becomes(covariance, (now) => now !== before, `Σ after ${keys}`);
    }
    await field("Deviation σx").fill("5");
    await field("Correlation ρ").fill("0");
    await becomes(covariance, (now) => /^25\.0\s+0\.0\s+0\.0\s/.test(now), "Σ");
  });

  it("shows α of the chosen pixel, which depends on the opacity and the distance", async () => {
    await page.getByRole("application", { name: /^Pixels of the target/ }).press("ArrowLeft");
    const read = async () => {
      const [pixel, distance, alpha] = await Promise.all(["pixel", "distance", "α"].map(fact));
      return { pixel, distance: Number(distance.replace("σ", "")), alpha: Number(alpha) };
    };
    await becomes(read, ({ pixel }) => pixel === "15, 16", "the pixel");
    for (const opacity of [0.4, 0.8]) {
      await field("Opacity o").fill(String(opacity));
      await becomes(
        read,
        ({ distance, alpha }) => Math.abs(alpha - opacity * Math.exp(-0.5 * distance ** 2)) < 0.01 && alpha > 0,
        "α",
      );
    }
  });

  it("compares a predicted α with that of the CPU reference", async () => {
    const guess = page.getByRole("figure", { name: /^How does an opaque blob fade/ });
    await guess.getByRole("slider").first().press("ArrowUp");
    await guess.getByRole("button", { name: "Compare" }).click();
    await becomes(
      () => guess.getByRole("status").innerText(),
      (words) => words.startsWith("Your curve is off by"),
      "the verdict",
    );
  });

  it("lowers the loss if the reader moves a parameter in the direction of the slope's sentence", async () => {
    await press("Start over");
    await becomes(loss, (now) => now > 0.08, "the loss at the start");
    await page.getByLabel("Parameter").selectOption({ label: "green" });
    const sentence = page.getByText(/^Slope ∂L\/∂\(green\) = /);
    const words = await sentence.innerText();
    const before = await loss();
    const value = Number(await field("green").inputValue());
    await field("green").fill((value + (/a larger/.test(words) ? 0.1 : -0.1)).toFixed(2));
    await becomes(loss, (now) => now < before, "the loss");
    await becomes(
      () => sentence.innerText(),
      (now) => now !== words,
      "the sentence",
    );
  });

  it("takes steps of gradient descent until the blob fits, and starts over", async () => {
    await press("Start over");
    await becomes(loss, (now) => now === start, "the loss at the start");
    await press("Take a step");
    await becomes(loss, (now) => now < start, "the loss after one step");
    await press("Take 40 steps");
    await page.getByLabel("The loss over 41 steps").waitFor();
    await becomes(loss, (now) => now < 0.012, "the loss of the fit");
    const change = page.locator("tr").filter({ hasText: "centre μx" }).locator("td").last();
    assert.ok(Math.abs(Number((await change.innerText()).replace("−", "-"))) < 0.1, "hardly any change is left");
    await press("Start over");
    await becomes(loss, (now) => now === start, "the loss at the start");
  });

  it("fits another target, and an image of the reader", async () => {
    const target = page.getByLabel("Target", { exact: true });
    const before = await loss();
    await target.selectOption({ label: "two dots" });
    await becomes(loss, (now) => now !== before, "the loss for another target");
    const png = await page.evaluate(() => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 20 });
      canvas.getContext("2d")!.fillRect(0, 0, 40, 20);
      return canvas.toDataURL("image/png").split(",")[1];
    });
    await target.selectOption({ label: "an image of yours" });
    const file = { name: "black.png", mimeType: "image/png", buffer: Buffer.from(png, "base64") };
    await becomes(
      async () => {
        // The choice of a target, by events that no reader causes, displays the input twice.
        await page.getByLabel("Image file").setInputFiles(file);
        return stageSize();
      },
      (size) => size === "32 × 16",
      "the size of the image",
    );
    await becomes(loss, (now) => now > 2, "the loss over a black target");
    await press("Take a step");
    await becomes(loss, (now) => now < 3, "the loss");
  });

  it("logs no errors and makes no requests to other origins", async () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
    await page.context().close();
  });
});
