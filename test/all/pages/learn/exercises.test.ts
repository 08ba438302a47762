import assert from "node:assert/strict";
import { it } from "vitest";
import { openContext, reloadAtTop } from "../../../support/pages.js";

it("an exercise judges an answer, recognizes a mistake, and stays solved", async () => {
  const context = await openContext();
  const page = await context.newPage();
  await page.goto("/learn/undo");
  const exercise = page.getByRole("region", { name: "Adjoint of α" });
  const answer = exercise.getByLabel("Your code");
  for (const [code, words] of Object.entries({
    "pixel.a * alongColor": "This is the effect on C′ alone.",
    "for (;;) {": "The code does not run.",
    "(alongColor - ATTENUATION * d.a) * pixel.a": "✓ Right.",
  })) {
    await answer.fill(code);
    await exercise.getByRole("button", { name: "Check" }).click();
    await exercise.getByText(words).waitFor();
  }
  const index = await context.newPage();
  await index.goto("/learn/");
  await index.getByText(/^1 of \d+ exercises solved/).waitFor();
  await reloadAtTop(page);
  await exercise.getByText("✓ solved").waitFor();
  assert.match(await answer.inputValue(), /\* pixel\.a/);
});
