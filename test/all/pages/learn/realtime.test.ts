import { it } from "vitest";
import { openPage } from "../../../support/pages.js";

it("the chapter on real time times five programs on the GPU", async () => {
  const { page } = await openPage("/learn/realtime");
  await page.getByRole("button", { name: "Run on your GPU" }).click();
  await page.getByText(/24 blobs on 24 × 24 pixels: every blob, states cached [\d.]+ [mµ]?s; .*; binned /).waitFor();
});
