import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Page, Route } from "playwright-core";
import sharp from "sharp";
import { afterEach, describe, it } from "vitest";
import { openPage, recordAnnouncements, until } from "../support/pages.js";

const folder = "data/runs/chelsea-regions";
const described = JSON.parse(readFileSync(`${folder}/run.json`, "utf8"));
let page: Page;

/** The figure that shows the render, which zooms into regions. */
const render = () => page.getByRole("figure", { name: /^Render/ });
const wholeRender = () => render().getByRole("img", { name: /^Render of / });
/** The render of the blobs in view, over the whole one. */
const detail = () => render().locator("[aria-hidden=true] > canvas");
const status = () => render().locator("p");
const windowTools = () => page.getByRole("group", { name: /^Images of this run/ });

afterEach(() => page.context().close());

async function opens(size = { width: 1440, height: 900 }, prepare?: (page: Page) => Promise<void>): Promise<string[]> {
  const opened = await openPage("/reports/", { webgpu: false, emulation: { viewport: size } });
  page = opened.page;
  await prepare?.(page);
  await page.goto("/reports/chelsea-regions");
  // Canvases replace the static images.
  await render().locator("canvas").first().waitFor();
  return opened.complaints;
}

const presses = async (...keys: string[]) => {
  for (const key of keys) await windowTools().press(key);
};
const statusText = (what: RegExp) =>
  until(
    () => status().innerText(),
    (text) => what.test(text),
    "the status of the regions",
  );
const height = () => page.evaluate(() => document.documentElement.scrollHeight);

/** Changes the size of the image in the page's run. */
async function reshaped(page: Page, width: number, height: number): Promise<void> {
  const small = { width: Math.round(width / 4), height: Math.round(height / 4) };
  const png = await sharp({ create: { ...small, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  const hash = createHash("sha256").update(png).digest("hex");
  const list = described.regions.list.map((region: object, i: number) => {
    if (width > height) return { ...region, x: (i * width) / 6, y: 0, width: width / 6, height };
    return { ...region, x: 0, y: (i * height) / 6, width, height: height / 6 };
  });
  const run = {
    ...described,
    image: { ...described.image, width, height },
    regions: { ...described.regions, list },
    files: { ...described.files, "render.png": hash, "target.png": hash },
  };
  const at = (name: string) => `**/chelsea-regions/${name}`;
  await page.route(at("run.json"), (route) => route.fulfill({ json: run }));
  for (const name of ["render.png", "target.png"]) await page.route(at(name), (route) => route.fulfill({ body: png }));
}

describe("the page of a run in regions", () => {
  it("shows and announces why blobs cannot be loaded, without a layout shift, and retries when it is online again", async () => {
    for (const width of [1440, 390]) {
      await opens({ width, height: 800 });
      const spoken = await recordAnnouncements(page);
      const before = await height();
      const away = (route: Route) => route.abort();
      await page.route("**/parameters.arrow", away);
      await presses("+", "+", "+");
      const sentence = "The blobs cannot be rendered: parameters.arrow cannot be fetched.";
      assert.equal(await statusText(/cannot be rendered/), `${sentence} Troubleshooting`);
      // A slow page also reports the failure of an earlier zoom.
      assert.deepEqual(
        [...new Set(await spoken())].toSorted(),
        ["2×", "4×", "8×", `${sentence} Troubleshooting`].toSorted(),
      );
      const help = status().getByRole("link");
      assert.match((await help.getAttribute("href"))!, /\/help\.html#a-file-or-a-run-cannot-be-read$/);
      assert.equal(await height(), before);
      await page.unroute("**/parameters.arrow", away);
      await page.evaluate(() => dispatchEvent(new Event("online")));
      await statusText(/^\d of 6 regions loaded/);
      if (width === 1440) await page.context().close();
    }
  });

  it("cancels requests of regions that have left the view, and renders those in view", async () => {
    await opens();
    const lost: string[] = [];
    page.on("requestfailed", (request) => {
      if (request.url().endsWith("parameters.arrow")) lost.push(request.failure()!.errorText);
    });
    const held: Route[] = [];
    let isHeld = true;
    const bytes = readFileSync(`${folder}/parameters.arrow`).length;
    await page.route("**/parameters.arrow", (route) => {
      const [start, end] = /\d+-\d+/.exec(route.request().headers().range)![0].split("-").map(Number);
      // The start and the end of the file contain the positions of its regions.
      if (isHeld && start > 0 && end < bytes - 1) held.push(route);
      else void route.continue();
    });
    const frame = (await wholeRender().boundingBox())!;
    await page.mouse.move(frame.x + 3, frame.y + 3);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -600);
    await page.keyboard.up("Control");
    await until(
      async () => held.length,
      (count) => count > 0,
      "a request for a region",
    );
    isHeld = false;
    const first = held.length;
    // Without a pause, so no view on the way is rendered.
    await windowTools().evaluate((node) => {
      for (const key of Array(20).fill(["ArrowRight", "ArrowDown"]).flat())
        node.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: true }));
    });
    assert.match(await statusText(/regions loaded/), /^[12] of 6 /);
    assert.deepEqual(lost, Array(first).fill("net::ERR_ABORTED"));
    await render()
      .getByText(/^region 6 of 6: /)
      .waitFor();
  });

  it("prints no buttons, and no image higher than a page", async () => {
    await opens(undefined, (page) => reshaped(page, 120, 6000));
    const seen = page.locator("main :is(button, input):visible, main p:visible:has-text('Zoom with the buttons')");
    assert.ok((await seen.count()) > 3);
    await page.emulateMedia({ media: "print" });
    assert.equal(await seen.count(), 0);
    const heights = await page
      .locator("main :is(canvas, img):visible")
      .evaluateAll((all) => all.map((image) => image.getBoundingClientRect().height));
    assert.ok(heights.length >= 4 && heights.every((height) => height < 900), `${heights}`);
  });

  it("has room for text and zooms into images fifty times as wide as high, and as high as wide", async () => {
    for (const [width, height] of [
      [6000, 120],
      [120, 6000],
    ]) {
      const complaints = await opens(undefined, (page) => reshaped(page, width, height));
      // It has room around an image that is much longer in one direction.
      const room = render().locator("figcaption + div");
      const sizeOf = async (place: typeof room) => (await place.boundingBox())!;
      const [outer, inner] = [await sizeOf(room), await sizeOf(wholeRender())];
      assert.ok(Math.abs(inner.width / inner.height / (width / height) - 1) < 0.02, `${inner.width} × ${inner.height}`);
      assert.ok(outer.width >= 300 && outer.height >= 160 && outer.height < 900, `${outer.width} × ${outer.height}`);
      assert.ok((await sizeOf(render().locator("figcaption"))).height < 80);
      assert.ok((await sizeOf(page.getByRole("figure", { name: "Error map" }).locator("canvas"))).height < 900);
      await presses("+", "+", "+", "+");
      await statusText(/regions loaded/);
      const [across, down] = [Math.min(outer.width, 16 * inner.width), Math.min(outer.height, 16 * inner.height)];
      // Earlier views, which a slow machine may render, are larger.
      const drawn = await until(
        () => sizeOf(detail()),
        ({ width, height }) => Math.abs(width - across) < 2 && Math.abs(height - down) < 2,
        "a render that fills the view",
      );
      assert.ok(drawn.width > 200 && drawn.height > 150);
      // Dragging works outside of the narrow image too.
      await page.mouse.move(outer.x + outer.width / 2 + 60, outer.y + outer.height / 2 + 60);
      await page.mouse.down();
      await page.mouse.move(outer.x + outer.width / 2 + 30, outer.y + outer.height / 2 + 30);
      await page.mouse.up();
      await until(
        () => sizeOf(detail()),
        ({ x, y }) => Math.abs(x - drawn.x) > 1 || Math.abs(y - drawn.y) > 1,
        "the position of the render",
      );
      assert.deepEqual(complaints, []);
      if (width > height) await page.context().close();
    }
  });
});
