import assert from "node:assert/strict";
import { it } from "vitest";
import { bringIntoView, scrollTo, until } from "../../../support/pages.js";
import { openDone, predict } from "./chapter.js";

it("the chapter on tiles lists the blobs of a chosen tile, and follows a blob that is dragged into it", async () => {
  const page = await openDone("tiles");
  await predict(page, /^How many of the 200 blobs/);
  const [run, hand] = ["A tile and its list", "Nine movable blobs, a tile and its list"].map((name) => {
    const figure = page.getByRole("figure", { name, exact: true });
    const list = figure.getByRole("region", { name: "Tile list" });
    const listed = async () => {
      const blobs = list.getByRole("button", { name: /, (in the list|false positive)$/ });
      return (await blobs.allInnerTexts()).map(Number);
    };
    return { figure, list, listed, tiles: figure.getByRole("application") };
  });

  await scrollTo(run.figure, run.list.getByRole("button").first());
  const box = (await run.tiles.boundingBox())!;
  await run.tiles.click({ position: { x: 2.5 * (box.width / 8), y: 3.5 * (box.height / 8) } });
  await page.mouse.move(2, 2);
  await run.list.getByText(/^Tile 2, 3:/).waitFor();
  await run.tiles.press("ArrowLeft");
  await run.list.getByText(/^Tile 1, 3:/).waitFor();
  const blobs = await run.listed();
  assert.ok(blobs.length > 0);
  assert.deepEqual(
    blobs,
    blobs.toSorted((a, b) => a - b),
  );

  await scrollTo(hand.figure, hand.list.getByRole("button").first());
  await bringIntoView(hand.tiles);
  await hand.list.getByText(/^Tile 3, 4:/).waitFor();
  assert.ok(!(await hand.listed()).includes(1));
  const from = (await hand.figure.getByRole("button", { name: /^Blob 1: press Enter/ }).boundingBox())!;
  const to = (await hand.tiles.boundingBox())!;
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + (28 / 64) * to.width, to.y + (36 / 64) * to.height, { steps: 3 });
  await page.mouse.up();
  await until(hand.listed, (listed) => listed.includes(1), "the list");
});
