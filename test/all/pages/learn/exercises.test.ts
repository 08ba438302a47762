import assert from "node:assert/strict";
import { it } from "vitest";
import { watchPage } from "../../../support/browser.js";
import { openContext, reloadAtTop } from "../../../support/pages.js";

it("judges an answer, recognizes a mistake, and keeps a solved exercise", async () => {
  const context = await openContext();
  const { page, complaints } = await watchPage(
    context,
    "/learn/undo?engine=cpu&steps=4&size=32&exercises=undo.transmittance",
  );
  const exercise = page.getByRole("region", { name: "Exercise 1: Transmittance before a blob" });
  const answer = exercise.getByLabel("Your code");
  const check = exercise.getByRole("button", { name: "Check" });
  await answer.fill("state.transmittance /= alpha;");
  await check.click();
  await exercise.getByText("A blob leaves the fraction 1 − α uncovered, not α.").waitFor();
  assert.match(await exercise.innerText(), /∂L\/∂centre x of blob 0 is .+, but should be .+ finite differences/s);
  const wrongCode = { "for (;;) {": "The code does not run.", "indexedDB.databases();": "indexedDB is not defined" };
  for (const [code, words] of Object.entries(wrongCode)) {
    await answer.fill(code);
    await check.click();
    await exercise.getByText(words).waitFor();
  }
  await answer.fill("state.transmittance = state.transmittance / (1 - alpha * attenuation);");
  await check.click();
  await exercise.getByText("✓ Right.").waitFor();
  assert.equal(await page.getByRole("region", { name: /^Exercise/ }).count(), 1, "selected exercises");
  const index = await watchPage(context, "/learn/");
  await index.page.getByText(/^1 of \d+ exercises solved/).waitFor();
  await index.page.getByRole("listitem").filter({ hasText: "Transmittance before a blob, solved" }).waitFor();
  await reloadAtTop(page);
  await exercise.getByText("✓ solved").waitFor();
  assert.match(await answer.inputValue(), /1 - alpha \* attenuation/);
  assert.deepEqual([...complaints, ...index.complaints], []);
});
