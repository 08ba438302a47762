import assert from "node:assert/strict";
import { it } from "vitest";
import { openPage, runBarOf, scrollTo } from "../../../support/pages.js";
import { fact, predict } from "./chapter.js";

it("the chapter on summing gradients reduces as the kernel does, and sums in order of arrival", async () => {
  const { page } = await openPage("/learn/reduction?steps=1000000");
  const figure = (title: string) => page.getByRole("figure", { name: title });
  await runBarOf(page).getByRole("button", { name: "Pause" }).click();
  await predict(page, /^How many rounds/);
  const kernel = page.getByText("all 15 partial sums are bit-identical to those shown");
  await scrollTo(page.getByRole("group", { name: /^WGSL, / }).filter({ hasText: "fn treeReduce" }), kernel);

  const tree = figure("Tree reduction of the gradients of a tile");
  await page.getByLabel("Workgroup size").selectOption("8");
  await fact(tree, "round").getByText("2 of 3").waitFor();
  const numbers = page.getByLabel("Numbers, by local index", { exact: true });
  await numbers.fill("1, 2, 3, 4, 5, 6, 7, 80");
  // In a box of several lines, Enter is a new line.
  await numbers.blur();
  // 80 is clamped to 10.
  await fact(tree, "clamped").getByText("1 of 8").waitFor();
  const rounds = page.getByRole("group", { name: "Rounds of the reduction" });
  await rounds.getByRole("button", { name: "To the last step" }).click();
  await fact(tree, "thread 0’s value").getByText("38", { exact: true }).waitFor();

  const race = figure("Repeated sums");
  await page.getByLabel("Runs", { exact: true }).selectOption("100");
  const ran = fact(race, "runs").getByText("100 of 100");
  await scrollTo(page.getByRole("button", { name: "Run again" }), ran);
  assert.equal(await fact(race, "results in fixed order").innerText(), "1");
  assert.ok(Number(await fact(race, "results in order of arrival").innerText()) >= 1);
});
