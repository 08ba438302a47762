// Touch tests of our controls, by page. Each checks what the page shows afterwards.
import type { Locator, Page } from "playwright-core";
import { bringIntoView, until } from "../../support/pages.js";

/** Scrolls an element into view and taps it. */
async function tap(place: Locator, position?: { x: number; y: number }): Promise<void> {
  await bringIntoView(place);
  await place.tap({ position });
}

type Fingers = [x: number, y: number][];

/** Moves fingers over an element, from and to positions in fractions of it. */
async function moves(place: Locator, from: Fingers, to: Fingers): Promise<void> {
  await bringIntoView(place);
  const { x, y, width, height } = (await place.boundingBox())!;
  const client = await place.page().context().newCDPSession(place.page());
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", fingers: Fingers) =>
    client.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: fingers.map(([across, down], id) => ({ id, x: x + across * width, y: y + down * height })),
    });
  // In one move, as on a slow device.
  await touch("touchStart", from);
  await touch("touchMove", to);
  await touch("touchEnd", []);
  await client.detach();
}

async function wipes(page: Page): Promise<void> {
  const divider = page.getByRole("slider", { name: /to the left, .* to the right/ }).first();
  await divider.waitFor();
  await moves(divider, [[0.5, 0.5]], [[0.9, 0.5]]);
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
  await presses("Start over", "0 of 4");
  await presses("Step", "1 of 4");
  await presses("Run", "4 of 4");

  await page.getByText("at step 4: its raw").waitFor();
  const table = page.getByRole("table", { name: /^Parameters after/ });
  await bringIntoView(table);
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

  const gallery = page.getByRole("group", { name: "Images" });
  const other = gallery.locator('[aria-pressed="false"]').first();
  const name = (await other.getAttribute("value"))!;
  await tap(other);
  await page.waitForURL(`**picture=${name}**`);
}

async function editsACell(page: Page): Promise<void> {
  await tap(page.getByRole("button", { name: "Edit the cells" }));
  await tap(page.getByRole("button", { name: /^Show all \d+ cells$/ }));
  const cell = page.getByRole("group", { name: "Cell scene, render", exact: true });
  await tap(cell.getByRole("button", { name: "Edit" }));
  const text = cell.getByRole("textbox");
  await tap(text);
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText('\ndisplay("typed" + " by touch");');
  await tap(cell.getByRole("button", { name: "Run", exact: true }));
  await page.getByText('"typed by touch"', { exact: true }).waitFor();
}

/** The touch tests, by the path of the page. */
export const byTouch: Record<string, (page: Page) => Promise<void>> = {
  "/": trainsAndSorts,
  "/compare": wipes,
  "/learn/blending": editsACell,
};
