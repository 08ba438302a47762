import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { until } from "../../../support/pages.js";
import { fact, numbersOf, openDone, predict } from "./chapter.js";

describe("the chapter on blending", () => {
  let page: Page;
  beforeAll(async () => {
    page = await openDone("blending");
    await fact(page, "pixel").waitFor();
  });
  const blend = () => page.getByRole("figure").filter({ hasText: "Compositing a pixel of the run" });
  const steps = () => page.getByRole("group", { name: "Iteration of the blending loop" });
  const words = () => steps().locator("output");
  const step = (label: string) => steps().getByRole("button", { name: label }).click();

  it("compares a predicted transmittance with that of the CPU reference", async () => {
    await predict(page, /^How much of a pixel do n blobs leave uncovered/);
  });

  it("blends the layers of a chosen pixel one by one, up to the colour of the render", async () => {
    const grid = page.getByRole("application", { name: /^Render/ });
    const box = (await grid.boundingBox())!;
    await grid.click({ position: { x: box.width / 2 + 2, y: box.height / 4 + 2 } });
    await fact(page, "pixel").getByText("32, 16").waitFor();
    await grid.press("ArrowRight");
    await fact(page, "pixel").getByText("33, 16").waitFor();
    await step("To the first step");
    await words().getByText("Before the first blob: C = 0 and T = 1").waitFor();
    await step("One step forward");
    await words()
      .getByText(/^Blob \d+, 1 of \d+: α = /)
      .waitFor();
    await page.locator("pre [aria-current]").filter({ hasText: "return vec4f(pixel.rgb + blob.a" }).waitFor();
    await step("To the last step");
    await words().getByText("All blended: T = ").waitFor();
    const render = numbersOf((await fact(page, "render | target").innerText()).split(";")[0]);
    const blended = async () => numbersOf(await fact(blend(), "C (1 − T) + T").innerText());
    await until(blended, (colour) => colour.join() === render.join(), `the colour, expected to be ${render}`);
  });
});
