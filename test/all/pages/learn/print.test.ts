import assert from "node:assert/strict";
import { it } from "vitest";
import { assertFitsScreen, openPage } from "../../../support/pages.js";

it("a chapter prints figures and exercises without controls, and the addresses of its sources, on A4", async () => {
  const { page } = await openPage("/learn/undo?engine=cpu&blobs=40&steps=4&size=32", { webgpu: false });
  const play = page.getByRole("button", { name: "Play" }).first();
  await play.waitFor();
  const answer = page.getByRole("textbox", { name: "Your code" }).first();
  await answer.waitFor();
  await page.getByText("Memory for caching every state").last().waitFor();
  await page.emulateMedia({ media: "print" });
  // A4 without its margins, in CSS pixels.
  await page.setViewportSize({ width: 688, height: 1000 });
  await assertFitsScreen(page);
  assert.equal(await play.isVisible(), false);
  for (const name of ["Check", "Hint", "Show solution"])
    assert.equal(await page.getByRole("button", { name }).first().isVisible(), false, name);
  assert.ok(await answer.isVisible());
  assert.equal(
    await answer.evaluate((node) => getComputedStyle(node, "::placeholder").color),
    "rgba(0, 0, 0, 0)",
    "a blank is empty",
  );
  const figure = page.getByRole("figure", { name: /^Caching every state/ });
  assert.equal(await figure.evaluate((node) => getComputedStyle(node).breakInside), "avoid");
  const source = page.getByRole("link", { name: /^SLANG\.D/ });
  assert.match(
    await source.evaluate((node) => getComputedStyle(node, "::after").content),
    /^" \(" attr\(href\) "\)"$|https:/,
  );
});
