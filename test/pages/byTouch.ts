// Touch tests of our controls, by page. Each checks what the page shows afterwards.
import assert from "node:assert/strict";
import type { Locator, Page, Request } from "playwright-core";
import { bringIntoView, until } from "../support/pages.js";

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

/** Returns the largest difference of the drawn blobs from the same part of the small render, on a coarse grid, in 0..255. */
function offBy(figure: Element): number {
  const [whole, detail] = figure.querySelectorAll("canvas");
  const frame = whole.parentElement!.getBoundingClientRect();
  const look = (canvas: HTMLCanvasElement) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const { data } = (() => {
      const small = new OffscreenCanvas(12, 8).getContext("2d")!;
      const [across, down] = [canvas.width / width, canvas.height / height];
      const part = [(frame.left - left) * across, (frame.top - top) * down, frame.width * across, frame.height * down];
      small.imageSmoothingQuality = "high";
      small.drawImage(canvas, ...(part as [number, number, number, number]), 0, 0, 12, 8);
      return small.getImageData(0, 0, 12, 8);
    })();
    return data;
  };
  const [small, drawn] = [look(whole), look(detail)];
  return Math.max(...small.map((value, i) => Math.abs(value - drawn[i])));
}

/** Zooms into an image in regions, by two fingers, one finger and keys. Only visible regions are fetched. */
async function comesCloser(page: Page): Promise<void> {
  const fetched: string[] = [];
  const recordRequest = (request: Request) => {
    if (request.url().includes("parameters.arrow")) fetched.push(request.headers().range ?? "all of it");
  };
  page.on("request", recordRequest);
  const figure = page.getByRole("figure").filter({ has: page.getByText("Show region borders") });
  const frame = figure.getByRole("img").locator("..");
  const detail = figure.locator("canvas").nth(1);
  const status = figure.locator('p[role="status"]');
  const rests = async () => {
    await detail.waitFor();
    return until(
      () => status.innerText(),
      (text) => /^\d of 6 regions loaded, [\d,]+ of [\d,]+ blobs\.$/.test(text),
      "the status of the regions",
    );
  };
  const isDrawn = () =>
    until(
      () => figure.evaluate(offBy),
      (apart) => apart < 30,
      "the difference of the drawn part from the small render",
    );
  assert.equal(await status.innerText(), "This is a preview. Zoom in to render the blobs in view.");
  // A corner at zoom 8: its region, and blobs of others that extend into it.
  const at = (distance: number): Fingers => [
    [0.005, 0.005],
    [0.005 + distance, 0.005 + distance],
  ];
  await moves(frame, at(0.05), at(0.4));
  const first = Number((await rests())[0]);
  assert.ok(first >= 1 && first <= 2, `${first} regions for a corner`);
  await isDrawn();
  const ranges = fetched.length;
  assert.ok(ranges === first + 2 && fetched.every((range) => /^bytes=\d+-\d+$/.test(range)), `${fetched}`);
  await moves(frame, [[0.9, 0.9]], [[-0.6, -0.6]]);
  const loads = (before: number) => until(rests, (text) => Number(text[0]) > before, "the regions that are loaded");
  const second = Number((await loads(first))[0]);
  const window = page.getByRole("group", { name: /^Images of this run/ });
  for (let press = 0; press < 4; press++) await window.press("Shift+ArrowRight");
  const third = Number((await loads(second))[0]);
  assert.equal(fetched.length, third + 2, "each region comes once");
  await isDrawn();
  await figure.getByText(/^region 3 of 6: 150 × 150 pixels, 245 blobs$/).waitFor();
  const edges = figure.getByRole("checkbox", { name: "Show region borders" });
  await tap(edges);
  const drawn = await figure.locator("svg path").last().getAttribute("d");
  assert.equal(drawn?.match(/z/g)?.length, 6);
  await window.press("0");
  await detail.waitFor({ state: "hidden" });
  page.off("request", recordRequest);
}

/** The touch tests, by the path of the page. */
export const byTouch: Record<string, (page: Page) => Promise<void>> = {
  "/": trainsAndSorts,
  "/compare": wipes,
  "/learn/blending": editsACell,
  "/reports/chelsea-regions": comesCloser,
};
