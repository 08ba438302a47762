import assert from "node:assert/strict";
import { it } from "vitest";
import { openPage, scrollTo } from "../../support/pages.js";

it("lets the page's own compiler judge an order of the stages, and marks the line that it refuses", async () => {
  const { page, complaints, foreignRequests: foreign } = await openPage("/learn/blending?steps=50");
  const choice = page.getByLabel("Order of the stages");
  const proof = page.locator(".token-proof");
  await scrollTo(choice, proof.locator("[data-state=refused]"));
  const refused = proof.locator(".wrong-line");
  assert.equal(await refused.count(), 1);
  assert.match(await refused.innerText(), /bitonicSort\(filled/, "it sorts what nobody has padded");
  await choice.selectOption("correct order");
  await scrollTo(choice, proof.locator("[data-state=compiled]"));
  assert.equal(await refused.count(), 0);
  assert.deepEqual(complaints, []);
  assert.deepEqual(foreign, []);
});
