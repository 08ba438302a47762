import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { describe, it } from "vitest";
import { assertAccessible, assertFitsScreen, openPage, until } from "../../support/pages.js";

const job = "engine=cpu&blobs=40&steps=4&size=32";

const readers = {
  "a wide light screen": { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  "a dark phone": { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true, isMobile: true },
} as const;

/** Returns how far the top of an element is below that of the screen. */
const topOf = (place: Locator) => place.evaluate((node) => Math.round(node.getBoundingClientRect().top));

describe("a chapter with the parameter `slides`", () => {
  for (const [name, emulation] of Object.entries(readers)) {
    it(`shows a figure at a time, with its heading, on ${name}`, async () => {
      const { page, complaints } = await openPage(`/learn/undo?slides&${job}`, { webgpu: false, emulation });
      const slide = page.getByRole("region", { name: "The limits on α and T", exact: true });
      const figure = slide.getByRole("figure", { name: /^Error of undoing/ }).first();
      await slide.getByRole("heading", { name: "The limits on α and T" }).waitFor();
      await figure.waitFor({ state: "attached" });
      const position = () => page.evaluate("scrollY") as Promise<number>;
      const first = page.getByRole("region", { name: "Undoing the blend", exact: true }).first();
      assert.ok(await first.getByRole("button", { name: "Show the answer" }).isVisible(), "the prediction is a slide");
      assert.equal(await topOf(first), 0);
      assert.ok((await first.boundingBox())!.height >= emulation.viewport.height);
      const prose = page.getByText("The figure shows the run of");
      for (const hidden of [
        page.getByRole("navigation", { name: "Chapters" }),
        page.getByRole("heading", { name: "Sources" }),
        prose,
      ])
        assert.equal(await hidden.isVisible(), false);

      for (let press = 0; (await topOf(slide)) > 0; press++) {
        assert.ok(press < 20, "PageDown leads to each slide");
        const before = await position();
        await page.keyboard.press("PageDown");
        await until(position, (now) => now > before, "the position after PageDown");
        await page.waitForTimeout(700);
      }
      // The heights of slides above can still change by some pixels.
      const heading = (await slide.getByRole("heading").first().boundingBox())!;
      assert.ok(
        heading.y >= 0 && heading.y < 80,
        `scrolling stops at the start of a slide, its heading at ${heading.y}`,
      );
      assert.ok(await figure.isVisible());
      await assertFitsScreen(page);
      await assertAccessible(page);
      assert.deepEqual(complaints, []);

      await page.getByRole("link", { name: "Leave slides" }).click();
      await page.getByRole("heading", { name: "Sources" }).waitFor();
      assert.ok(await prose.isVisible());
      assert.equal(new URL(page.url()).search, `?${job}`);
      assert.equal(await page.getByRole("link", { name: "Leave slides" }).count(), 0);
    });
  }

  it("shows the slide of the address", async () => {
    const { page } = await openPage(`/learn/undo?slides&${job}#the-limits-on-a-and-t`, { webgpu: false });
    const slide = page.getByRole("region", { name: "The limits on α and T", exact: true });
    await until(
      () => topOf(slide),
      (top) => top === 0,
      "the top of the slide",
    );
  });
});
