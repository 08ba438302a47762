import assert from "node:assert/strict";
import { it } from "vitest";
import { openPage, scrollTo } from "../../../support/pages.js";
import { fact, predict } from "./chapter.js";

it("the chapter on workgroups maps threads to pixels, and counts stale reads with and without a barrier", async () => {
  const { page } = await openPage("/learn/workgroups");
  await predict(page, /^Each thread writes a number/);
  const place = page.getByRole("figure", { name: "Threads of a workgroup and pixels of its tile" });
  await scrollTo(place, fact(page, "workgroup, its tile"));
  await place.getByRole("slider", { name: "Thread of the dispatch" }).fill("205");
  // 6 tiles of 8×4 in a row of 44 pixels: 205 = 6 · 32 + 13.
  await fact(page, "workgroup, its tile").getByText("6", { exact: true }).waitFor();
  await fact(page, "pixel").getByText("5, 5", { exact: true }).waitFor();

  const again = page.getByRole("button", { name: "Run without the barrier again" });
  await scrollTo(again, page.getByText(/With the barrier: 0 of 768/));
  await page.getByLabel("Threads of the workgroup").selectOption({ label: "8" });
  await scrollTo(again, page.getByText(/20 runs of 24 workgroups without the barrier: [\d,]+ of 3,840 reads/));
  const stepper = page.getByRole("group", { name: "Arrivals of the threads" });
  const last = stepper.getByRole("button", { name: "To the last step" });
  await scrollTo(stepper, last);
  await last.click();
  const words = await stepper.getByRole("status").filter({ hasText: "Arrival 16 of 16" }).innerText();
  assert.match(words, /is through the barrier and reads \d from/);
});
