import assert from "node:assert/strict";
import { it } from "vitest";
import { openPage } from "../../support/pages.js";

it("lets the page's own compiler judge an order of the stages, and marks the line that it refuses", async () => {
  const { page, complaints, foreign } = await openPage("/learn/blending?steps=50");
  const proof = page.locator(".token-proof");
  await proof.scrollIntoViewIfNeeded();
  const compile = proof.getByRole("button", { name: "Compile it on this machine" });
  await compile.click();
  await proof.locator("[data-state=refused]").waitFor();
  const refused = proof.locator(".wrong-line");
  assert.equal(await refused.count(), 1);
  assert.match(await refused.innerText(), /bitonicSort\(filled/, "it sorts what nobody has padded");
  await proof.getByLabel("Order of the stages").selectOption("as it should be");
  assert.equal(await proof.locator(".token-verdict").innerText(), "Not compiled yet.");
  assert.equal(await refused.count(), 0);
  await compile.click();
  await proof.locator("[data-state=compiled]").waitFor();
  assert.deepEqual(complaints, []);
  assert.deepEqual(foreign, []);
});
