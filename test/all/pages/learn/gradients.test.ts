import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { it } from "vitest";
import { bringIntoView, scrollTo } from "../../../support/pages.js";
import { openDone, predict } from "./chapter.js";

it("the chapter on gradients compares each adjoint with finite differences, and detects a mistake", async () => {
  const page = await openDone("gradients");
  const stage = async (title: string): Promise<[stage: Locator, verdict: Locator]> => {
    const node = page.getByRole("figure", { name: `${title}: ` });
    await bringIntoView(node);
    const verdict = node.getByRole("status").filter({ hasText: /^[✓✗]/ });
    await verdict.waitFor();
    return [node, verdict];
  };
  await predict(page, /^How far is a finite difference/);
  for (const title of ["Decoding", "Covariance", "Falloff and opacity", "Blend", "Undo", "Compositing", "Loss"]) {
    assert.match(await (await stage(title))[1].innerText(), /^✓ All \d agree/, title);
  }
  const [blend, verdict] = await stage("Blend");
  await blend.getByLabel(/^Make a mistake/).check();
  await verdict.getByText(/^✗ 1 of 8 do not agree .*transmittance/).waitFor();

  const check = page.getByRole("figure", { name: "Gradient check of the whole step" });
  await scrollTo(page.getByRole("button", { name: "Check the run as it is now" }), check);
  await check
    .getByRole("status")
    .filter({ hasText: /^✓ All nine/ })
    .waitFor();
});
