import assert from "node:assert/strict";
import { it } from "vitest";
import { openPage, scrollTo } from "../../../support/pages.js";

it("compiles an order of the stages in the browser, and marks the rejected line", async () => {
  const { page, complaints, foreignRequests } = await openPage("/learn/blending?steps=50");
  await page.getByText("Blending in the program: the last of five stages").click();
  const choice = page.getByLabel("Order of the stages");
  const message = page.getByRole("status");
  await scrollTo(choice, message.filter({ hasText: "The compiler on your machine rejects it." }));
  const wrongLine = page.getByRole("group", { name: "WGSL of the kernel" }).locator("mark");
  assert.equal(await wrongLine.count(), 1);
  assert.match(await wrongLine.innerText(), /bitonicSort\(filled/, "it sorts a list that is not padded");
  await choice.selectOption("correct order");
  await scrollTo(choice, message.filter({ hasText: "It compiles:" }));
  assert.equal(await wrongLine.count(), 0);
  assert.deepEqual(complaints, []);
  assert.deepEqual(foreignRequests, []);
});
