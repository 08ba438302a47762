import { it } from "vitest";
import { openPage } from "../../../support/pages.js";

it("the chapter on real time times its programs on the GPU, and shows each time as it is measured", async () => {
  const { page } = await openPage("/learn/realtime");
  await page.getByRole("button", { name: "Run on your GPU" }).click();
  await page.getByText(/24 blobs on 24 × 24 pixels: every blob, states cached [\d.]+ [mµ]?s/).waitFor();
});
