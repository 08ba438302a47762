import assert from "node:assert/strict";
import { it } from "vitest";
import { countSwaps, recordSort } from "../../../../src/components/learn/sorting/sortModel.js";
import { openPage, scrollTo } from "../../../support/pages.js";
import { predict, type } from "./chapter.js";

const numbers = [9, 3, 27, 14, 8, 21, 5, 30, 11, 2, 19, 6, 24];
const swaps = recordSort(Uint32Array.from(numbers)).comparators.map(countSwaps);

it("the chapter on sorting sorts typed numbers with the kernel's swaps, and proves the network", async () => {
  const { page } = await openPage("/learn/sorting?foo=1");
  const state = page.getByRole("region", { name: "State of the sort" });
  await page.getByText(/^config must be .* \(got "foo".*\)\. Troubleshooting$/).waitFor();
  await predict(page, /How many passes/);
  await scrollTo(page.getByLabel("Numbers to sort"), state);
  await type(page, "Numbers to sort", "1, two, 3");
  await page.getByText(/“two” is not a whole number/).waitFor();
  await type(page, "Numbers to sort", numbers.join(" "));
  const total = swaps.reduce((sum, count) => sum + count, 0);
  await scrollTo(state, state.getByText(`the same ${total} swaps in the same 10 passes`));
  const passes = state.getByRole("table", { name: /^Swaps in each pass/ }).getByRole("button");
  assert.deepEqual(await passes.allInnerTexts(), swaps.map(String));

  const proof = page.getByRole("figure", { name: "Proof by the 0–1 principle" });
  await page.getByRole("button", { name: "Try all lists" }).click();
  await proof.getByText("256 of 256 lists tried, 256 of them sorted.").waitFor();
  await page.getByLabel("Network", { exact: true }).selectOption({ index: 3 });
  await page.getByRole("button", { name: "Try all lists" }).click();
  await proof.getByText(/not a sorting network\. It fails first at [01 ]+\./).waitFor();
});
