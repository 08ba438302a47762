import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { strideScene } from "../../../src/components/learn/tiles/gather.js";
import { listOf } from "../../../src/components/learn/tiles/tileScene.js";
import { fitsPhone, openPage, type WatchedPage } from "../../support/pages.js";

describe("the chapter on tiles", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage(`/learn/tiles?engine=cpu&steps=1000000`, { webgpu: false });
    page = watched.page;
    // The figures stay as they are while they are looked at.
    await page.locator('.run-bar[data-state="running"]').waitFor();
    await page.locator(".run-bar").getByRole("button", { name: "Pause" }).click();
    await page.locator('.run-bar[data-state="paused"]').waitFor();
  });

  const figure = (title: string, index = 0) => page.locator(".learn-figure").filter({ hasText: title }).nth(index);
  /** A figure takes the run's blobs once it can be seen. */
  const seen = async (where: Locator, part: string) => {
    await where.scrollIntoViewIfNeeded();
    await where.locator(part).first().waitFor({ state: "attached" });
    return where;
  };
  /** Where the pointer is over no tile, so that the chosen one is shown. */
  const pointAway = async () => {
    await page.mouse.move(2, 2);
    // A figure draws once a frame what was pointed at.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  };
  const fact = async (where: Locator, name: string) =>
    where
      .locator(".learn-facts > div")
      .filter({ has: page.locator("dt", { hasText: name }) })
      .locator("dd")
      .innerText();
  const listed = (where: Locator) => where.locator(".chips").first().locator(".chip").allInnerTexts();
  const words = (where: Locator) => where.locator(".stepper-words").innerText();

  it("lists another tile's blobs in ascending order when the arrow keys or a click choose it", async () => {
    const run = await seen(figure("A tile and its short-list"), ".chip");
    const stage = run.locator(".tile-stage svg");
    const first = await run.locator(".chip-head").first().innerText();
    await stage.press("ArrowLeft");
    await stage.press("ArrowUp");
    const second = await run.locator(".chip-head").first().innerText();
    assert.notEqual(second, first);
    const box = (await stage.boundingBox())!;
    await stage.click({ position: { x: 2.5 * (box.width / 8), y: 3.5 * (box.height / 8) } });
    assert.match(await run.locator(".chip-head").first().innerText(), /^Tile 2, 3:/);
    const blobs = (await listed(run)).map(Number);
    assert.deepEqual(
      blobs,
      blobs.toSorted((a, b) => a - b),
    );
    assert.equal(await fact(run, "in the list"), `${blobs.length} of 200`);
    // A larger tile holds at least what the smaller one in it holds.
    await run.getByLabel("Tile, in pixels", { exact: true }).selectOption("16x16");
    await stage.click({ position: { x: 1.5 * (box.width / 4), y: 1.5 * (box.height / 4) } });
    const larger = (await listed(run)).map(Number);
    assert.ok(blobs.every((blob) => larger.includes(blob)) && larger.length > blobs.length);
  });

  it("steps through the axes of a blob that is left out, up to the first that separates it", async () => {
    const hand = await seen(figure("A tile and its short-list", 1), ".chip");
    await pointAway();
    await hand.locator(".chips").last().locator(".chip").last().click();
    assert.match(await hand.locator(".axis-title").innerText(), /: not in the list$/);
    const stepper = hand.getByRole("group", { name: "Axis of the separating-axis test" });
    await stepper.getByRole("button", { name: "To the last step" }).click();
    assert.match(await words(hand), /A gap of 0\.\d+: this axis separates them\./);
    assert.ok(await stepper.getByRole("button", { name: "One step forward" }).isDisabled());
    const marked = await hand.locator(".code-line.active").allInnerTexts();
    assert.equal(await figure("A tile and its short-list").locator(".code-pair").count(), 0, "its code stands once");
    assert.ok(marked.some((line) => line.includes("separates(")) && marked.some((line) => line.includes("> reach(")));
  });

  it("follows a blob that is dragged, moved by keys or widened, and points at it in list and picture alike", async () => {
    const hand = figure("A tile and its short-list", 1);
    await pointAway();
    const body = hand.locator(".hand-body").nth(1);
    const stage = hand.locator(".tile-stage svg");
    const tile = (await listed(hand)).join();
    assert.ok(!tile.split(",").includes("1"));
    await stage.evaluate((node) => node.scrollIntoView({ block: "center" }));
    const box = (await stage.boundingBox())!;
    const from = (await body.boundingBox())!;
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + (28 / 64) * box.width, box.y + (36 / 64) * box.height, { steps: 3 });
    await page.mouse.up();
    assert.ok((await listed(hand)).includes("1"), "it lies on the tile now");
    assert.match(await hand.locator(".chip-head").first().innerText(), /^Tile 3, 4:/, "the drag chose no other tile");
    await body.press("ArrowRight");
    await hand.getByLabel("σ along, in pixels", { exact: true }).fill("0.5");
    await hand.getByLabel("σ across, in pixels", { exact: true }).fill("0.5");
    assert.equal(await fact(hand, "in the list"), `${(await listed(hand)).length} of 9`);
    for (let i = 0; i < 12; i++) await body.press("ArrowDown");
    assert.ok(!(await listed(hand)).includes("1"), "and now it does not");
    await hand.locator(".chip", { hasText: /^1$/ }).hover();
    assert.ok((await hand.locator('.marked[data-things~="blob:hand.1"]').count()) > 1);
    await hand.getByRole("button", { name: "As at first" }).click();
    assert.equal((await listed(hand)).join(), tile);
  });

  it("fills the list turn by turn with what the twin appends, and keeps its state when it is told nonsense", async () => {
    const stride = figure("Threads that stride");
    const stepper = stride.getByRole("group", { name: "Turn of the strided loop" });
    const scene = strideScene(5, 17, 4);
    await stride.getByLabel("Threads", { exact: true }).fill("5");
    await stride.getByLabel("Blobs", { exact: true }).fill("17");
    assert.equal(await stride.locator(".scan-cell:not(.none)").count(), 17);
    assert.equal(await stride.locator(".scan-head").count(), 5);
    await stepper.getByRole("button", { name: "To the last step" }).click();
    const slots = await stride.locator(".slots").first().locator("b").allInnerTexts();
    const tile = Number(await stride.locator(".slot-counter").innerText());
    assert.equal(slots.length, tile);
    const lists = Array.from({ length: scene.across * scene.down }, (_, t) => Array.from(listOf(scene, t)).join());
    assert.ok(lists.includes(slots.join()), slots.join());
    await stride.getByLabel("Threads", { exact: true }).fill("33");
    assert.match(await stride.getByRole("alert").innerText(), /^Threads must be a whole number from 1 to 32\.$/);
    assert.equal(await stride.locator(".scan-head").count(), 5);
    await stride.getByLabel("Threads", { exact: true }).fill("8");
    assert.equal(await stride.getByRole("alert").innerText(), "");
    await stepper.getByRole("button", { name: "One step forward" }).click();
    assert.match(await words(stride), /^Turn 1 of 3: Threads 0 to 7 test blobs 0 to 7; /);
  });

  it("shows the middle of one axis for a wide render, of the other for a tall one, and the tile's corners", async () => {
    const uv = await seen(figure("What a render of another shape"), ".stage-tile[d]");
    assert.equal(await fact(uv, "v covered"), "0.219 to 0.781");
    await uv.getByLabel("Render", { exact: true }).selectOption("tall");
    assert.equal(await fact(uv, "u covered"), "0.219 to 0.781");
    assert.match((await uv.locator(".code-line.active").allInnerTexts())[0], /vec2f\(covered, 1\.0\)/);
    await uv.getByLabel("Render", { exact: true }).selectOption("square");
    await uv.getByLabel("Tile, in pixels", { exact: true }).selectOption("32x32");
    await uv.getByLabel("Width, in pixels", { exact: true }).fill("64");
    assert.equal(await uv.getByLabel("Render", { exact: true }).inputValue(), "free");
    await page.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>(".uv-frame canvas")!;
      return canvas.width === 64 && canvas.height === 128;
    });
    const stage = uv.locator(".uv-frame svg");
    await stage.scrollIntoViewIfNeeded();
    const box = (await stage.boundingBox())!;
    await stage.click({ position: { x: 0.75 * box.width, y: 0.1 * box.height } });
    assert.deepEqual([await fact(uv, "tileLow"), await fact(uv, "tileHigh")], ["0.5000, 0.0000", "0.7500, 0.2500"]);
  });

  it("tries shorter windows the smaller the capacity, and a larger list drops less", async () => {
    const overflow = await seen(figure("A list that does not fit"), ".window");
    const length = Number((await fact(overflow, "meet the tile")).split(" ")[0]);
    const passes: number[] = [];
    for (const cap of [8, 16, 256]) {
      await overflow.getByLabel("GAUSSIANS_PER_BLOCK", { exact: true }).selectOption(String(cap));
      passes.push(Number(await fact(overflow, "passes")));
      assert.equal(await overflow.locator(".window.kept").count(), passes.at(-1));
      assert.equal(await fact(overflow, "dropped"), String(Math.max(length - cap, 0)));
      const last = overflow.getByRole("button", { name: "To the last step" });
      if (await last.isEnabled()) await last.click();
      assert.match(await words(overflow), new RegExp(`as pass ${passes.at(-1)}\\. .* no index is left\\.`));
      assert.equal(await overflow.locator(".overflow-slots .slot-cell").count(), cap);
    }
    assert.ok(passes[0] > passes[1] && passes[1] > 1 && passes[2] === 1, `${passes}`);
    await overflow.locator("dd", { hasText: "none" }).first().waitFor();
  });

  it("fits a phone, has complained of nothing, and asked nobody but its own origin", async () => {
    await fitsPhone(page);
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreign, []);
  });
});
