import { it } from "vitest";
import { bringIntoView, scrollTo } from "../../../support/pages.js";
import { openDone, predict } from "./chapter.js";

it("the chapter on the whole step shows each kernel's code, and walks through a step of the run", async () => {
  const page = await openDone("step");
  await predict(page, /^How does the loss fall/);
  const flow = page.getByRole("figure", { name: "Kernels of a step and the buffers between them" });
  const code = flow.getByRole("group", { name: /^WGSL, .*gatherLists\.wgsl$/ });
  await page.getByLabel("binned", { exact: true }).check();
  await page.getByLabel("gatherLists", { exact: true }).check();
  await scrollTo(flow, code);

  const walk = page.getByRole("figure", { name: "One training step of this run" });
  await bringIntoView(walk);
  const written = walk.getByRole("row").filter({ has: page.getByRole("cell", { name: /^→/ }) });
  await written.getByText(/^gradient of \w+ of blob \d+$/).waitFor();
  const stages = page.getByRole("group", { name: "Stage of the step" });
  for (let i = 0; i < 3; i++) await stages.getByRole("button", { name: "One step forward" }).click();
  await written.getByText(/^tile list of tile \d+$/).waitFor();
  await page.locator("pre [aria-current]").filter({ hasText: "low > high" }).waitFor();
});
