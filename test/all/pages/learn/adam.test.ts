import assert from "node:assert/strict";
import { it } from "vitest";
import { openPage, scrollTo } from "../../../support/pages.js";
import { numbersOf, predict } from "./chapter.js";

it("the chapter on Adam shows the steps of a recorded parameter, and trains with and without v", async () => {
  const { page } = await openPage("/learn/adam?engine=cpu&blobs=60&steps=100&size=32", { webgpu: false });
  const figure = (title: string) => page.getByRole("figure", { name: title });
  await page.getByText(/^Recorded 100 steps of 60 blobs/).waitFor();
  // The prediction of a sequence of equal gradients: a step of η, except near ε.
  assert.match(await predict(page, /^How long is Adam/), /η/);

  /** The length of a step of Adam's two variants, as a multiple of the learning rate. */
  const lengthsAt = async (step: number) => {
    await page.getByRole("slider", { name: "Training step" }).fill(String(step - 1));
    const values = page.getByRole("group", { name: `Values at step ${step}`, exact: true });
    const cells = values.locator("tr").filter({ hasText: "step ÷ η" }).locator("td");
    return numbersOf((await cells.allInnerTexts()).slice(0, 2).join(" ")).map(Math.abs);
  };
  await page.getByLabel("Example").selectOption({ label: "freezes" });
  for (const length of await lengthsAt(1)) assert.ok(Math.abs(length - 1) < 1e-3, "the first step is η long");
  await page.getByRole("slider", { name: "Training step" }).press("End");
  await page.getByText(/^Step 100 of 100: .* is 0\.$/).waitFor();

  const rules = figure("Training curves by optimizer");
  const again = page.getByRole("button", { name: "Train all four with these settings" });
  await scrollTo(again, rules.getByText("100 steps each, from the same start."));
  const [constant, exact, momentum, plain] = (await rules.locator("dd").allInnerTexts()).map(Number.parseFloat);
  assert.ok(Math.min(constant, exact) > Math.max(momentum, plain) + 1, `${[constant, exact, momentum, plain]}`);
});
