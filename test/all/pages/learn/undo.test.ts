import assert from "node:assert/strict";
import { it } from "vitest";
import { scrollTo, until } from "../../../support/pages.js";
import { fact, numbersOf, openDone, predict } from "./chapter.js";

it("the chapter on the undo steps back to the start, and compares memory and errors with cached states", async () => {
  const page = await openDone("undo");
  const figure = (title: string) => page.getByRole("figure").filter({ hasText: title });
  await fact(page, "pixel").waitFor();
  const verdict = await predict(page, /^12 blobs are blended, then undone/);
  assert.match(verdict, /the answer is [1-9](\.\d+)? × 10⁻⁷\./, "a few roundings");

  const both = figure("Caching every state and undoing the last one");
  const steps = page.getByRole("group", { name: "Forward and backward pass" });
  await steps.getByRole("button", { name: "To the last step" }).click();
  await both.getByText("T = 1.00000000").first().waitFor();
  const undone = async () => numbersOf(await both.getByText(/^T = /).nth(1).innerText())[0];
  await until(undone, (T) => Math.abs(T - 1) < 1e-5, "the undone T");

  await page.getByRole("spinbutton", { name: /Blobs per pixel/ }).fill("64");
  await page.getByRole("combobox", { name: "Image" }).selectOption({ label: "4096 × 4096 pixels" });
  const memory = page.locator("tbody tr").filter({ hasText: "your choice" }).filter({ hasText: "336 MB" });
  await memory.getByText("17.2 GB").waitFor();

  const words = figure("Error of undoing by the largest α").getByRole("status");
  const limit = page.getByRole("combobox", { name: "Largest α" });
  await scrollTo(limit, words);
  await limit.selectOption({ label: "1, no limit" });
  await page.getByLabel("Stop below T = 1/255").uncheck();
  await words.getByText("200 of 200 stacks of 12 blobs cannot be undone").waitFor();
});
