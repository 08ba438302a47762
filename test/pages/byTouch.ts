// What a finger does with the controls that are ours, page by page. Each is told by what the page shows then.
import type { Locator, Page } from "playwright-core";
import { intoSight, until } from "../support/pages.js";

/** Taps something where it stands, brought into sight first. */
async function tap(place: Locator, position?: { x: number; y: number }): Promise<void> {
  await intoSight(place);
  await place.tap({ position });
}

/** Draws a finger over an element, from one part of its width to another. */
async function draws(place: Locator, from: number, to: number): Promise<void> {
  await intoSight(place);
  const { x, y, width, height } = (await place.boundingBox())!;
  const client = await place.page().context().newCDPSession(place.page());
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...shares: number[]) =>
    client.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: shares.map((share) => ({ x: x + share * width, y: y + height / 2 })),
    });
  await touch("touchStart", from);
  for (let move = 1; move <= 4; move++) await touch("touchMove", from + ((to - from) * move) / 4);
  await touch("touchEnd");
  await client.detach();
}

async function wipes(page: Page): Promise<void> {
  const divider = page.getByRole("slider", { name: /to the left, .* to the right/ }).first();
  await divider.waitFor();
  await draws(divider, 0.5, 0.9);
  await until(
    async () => Number(await divider.inputValue()),
    (at) => at > 80,
    "the divider of the wipe",
  );
}

async function trainsAndSorts(page: Page): Promise<void> {
  const bar = page.getByRole("group", { name: "Training" });
  const presses = async (name: string, shown: string) => {
    await tap(bar.getByRole("button", { name, exact: true }));
    await bar.getByText(shown, { exact: true }).waitFor();
  };
  await presses("Reset", "0 of 4");
  await presses("Step", "1 of 4");
  await presses("Run", "4 of 4");

  await page.getByText("at step 4. A click").waitFor();
  const table = page.locator(".tables-slot table:has(tbody tr:nth-child(5))").first();
  await intoSight(table);
  const headers = await table.getByRole("columnheader").allInnerTexts();
  const column = headers.findIndex((name) => name.includes("opacity"));
  const values = async () => {
    const cells = table.locator(`tbody td:nth-child(${column + 2})`);
    const rows = await cells.allInnerTexts();
    return rows.map((text) => Number(text.replace("−", "-")));
  };
  await tap(table.getByRole("columnheader").nth(column));
  const isSorted = (shown: number[]) => shown.length > 4 && shown.every((value, i) => i === 0 || value >= shown[i - 1]);
  await until(values, isSorted, "the column of the table");

  const pictures = page.getByRole("group", { name: "Pictures" });
  const other = pictures.locator('[aria-pressed="false"]').first();
  const name = (await other.getAttribute("value"))!;
  await tap(other);
  await page.waitForURL(`**picture=${name}**`);
}

async function editsACell(page: Page): Promise<void> {
  await tap(page.getByRole("button", { name: "Edit the cells" }));
  const cell = page.getByRole("group", { name: "Cell scene, picture", exact: true });
  await tap(cell.getByRole("button", { name: "Edit" }));
  const text = cell.getByRole("textbox");
  await tap(text);
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText('\ndisplay("typed by touch");');
  await tap(cell.getByRole("button", { name: "Run", exact: true }));
  await page.locator(".observablehq--string").getByText('"typed by touch"').waitFor();
}

/** By the path of a page. */
export const byTouch: Record<string, (page: Page) => Promise<void>> = {
  "/": trainsAndSorts,
  "/compare": wipes,
  "/quality": wipes,
  "/learn/blending": editsACell,
};
