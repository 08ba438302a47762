import { it } from "vitest";
import { drawOffscreenScript, waitUntilIdle } from "../../../support/pagePaths.js";
import { openPage } from "../../../support/pages.js";

/** Edits of one listed cell that readers of a chapter try, and what the page then shows. */
const edits = [
  {
    path: "/learn/sorting",
    cell: "network",
    from: "readNumbers(eight)",
    to: "d3.range(16)",
    shows: "Pass 6 of 10: k = 8, j = 1;",
  },
  {
    path: "/learn/adam",
    cell: "racers",
    from: "0.001},",
    to: '0.001}, {optimizer: "Adam", rate: 0.02},',
    shows: "Adam, η = 0.02",
  },
];

for (const { path, cell, from, to, shows } of edits)
  it(`${path} follows an edit of ${cell}`, async () => {
    const { page } = await openPage(path, { script: drawOffscreenScript });
    await page.evaluate(waitUntilIdle);
    await page.getByRole("switch", { name: "Show code" }).check();
    await page.locator(".observablehq-pre-container", { hasText: from }).getByText("Edit").click();
    const text = page.getByRole("group", { name: `Cell ${cell}`, exact: true }).getByRole("textbox");
    await text.fill((await text.innerText()).replace(from, to));
    await text.press("Control+Enter");
    await page.getByText(shows).first().waitFor({ state: "attached" });
  });
