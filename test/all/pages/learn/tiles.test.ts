import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it, vi } from "vitest";
import { strideScene } from "../../../../src/components/learn/tiles/gather.js";
import { blobsOfTile } from "../../../../src/engine/model/tileLists.js";
import { deadline } from "../../../support/browser.js";
import {
  bringIntoView,
  marked,
  openPage,
  runBarOf,
  scrollTo,
  type WatchedPage,
  waitForRun,
} from "../../../support/pages.js";

describe("the chapter on tiles", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage(`/learn/tiles?engine=cpu&steps=100000000`, { webgpu: false });
    page = watched.page;
    // The figures do not change while the run is paused.
    await waitForRun(page, "Training");
    await runBarOf(page).getByRole("button", { name: "Pause" }).click();
    await waitForRun(page, "Paused");
  });

  const figure = (title: string) => page.getByRole("figure", { name: title, exact: true });
  const runFigure = () => figure("A tile and its list");
  const handFigure = () => figure("Nine movable blobs, a tile and its list");
  /** Cells run a moment later, and figures begin when they are visible. */
  const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: deadline, interval: 50 });
  const seen = async (where: Locator, part: Locator) => {
    await scrollTo(where, part.first());
    return where;
  };
  const choose = (where: Locator, name: string, option: string) =>
    where.getByLabel(name, { exact: true }).selectOption({ label: option });
  const fact = async (where: Locator, name: string) =>
    where
      .locator("dl > div")
      .filter({ has: page.locator("dt", { hasText: name }) })
      .locator("dd")
      .innerText();
  /** The active lines of a file's excerpts. */
  const activeLines = (file: RegExp) =>
    page.getByRole("group", { name: file }).locator("[aria-current]").allInnerTexts();
  const list = (where: Locator) => where.getByRole("region", { name: "Tile list" });
  const listed = (where: Locator) =>
    list(where)
      .getByRole("button", { name: /, (in the list|false positive)$/ })
      .allInnerTexts();
  const title = (where: Locator) => list(where).locator("p").first().innerText();
  /** The text of a stepper's step. */
  const words = (stepper: Locator) => stepper.getByRole("status").innerText();

  it("compares the reader's curve of list lengths with the run's lists, and keeps it", async () => {
    const guess = page.getByRole("figure", { name: /^How many of the 200 blobs/ });
    const slider = guess.getByRole("slider", { name: "Your prediction at width = 64" });
    await slider.press("ArrowUp");
    const drawn = await slider.getAttribute("aria-valuenow");
    await guess.getByRole("button", { name: "Compare" }).click();
    await soon(async () => assert.match(await guess.getByRole("status").innerText(), /^Your curve is off by \d/));
    const [, answer] = /the answer is ([\d.]+)$/.exec((await slider.getAttribute("aria-valuetext"))!)!;
    assert.ok(Number(answer) > 150, answer);
    assert.equal(await slider.getAttribute("aria-valuenow"), drawn);
  });

  it("lists the blobs of a tile in ascending order when it is chosen by arrow keys or a click", async () => {
    const run = runFigure();
    await seen(run, list(run).getByRole("button"));
    const tiles = run.getByRole("application");
    const first = await title(run);
    await tiles.press("ArrowLeft");
    await tiles.press("ArrowUp");
    await soon(async () => assert.notEqual(await title(run), first));
    const box = (await tiles.boundingBox())!;
    await tiles.click({ position: { x: 2.5 * (box.width / 8), y: 3.5 * (box.height / 8) } });
    await soon(async () => assert.match(await title(run), /^Tile 2, 3:/));
    const stops = list(run).locator('button[tabindex="0"]');
    const stop = await stops.innerText();
    await stops.press("ArrowRight");
    assert.notEqual(await stops.innerText(), stop);
    const blobs = (await listed(run)).map(Number);
    assert.deepEqual(
      blobs,
      blobs.toSorted((a, b) => a - b),
    );
    await soon(async () => assert.equal(await fact(run, "in the list"), `${blobs.length} of 200`));
    // The tile under the pointer is shown, and the clicked tile afterwards.
    await tiles.hover({ position: { x: 5.5 * (box.width / 8), y: 5.5 * (box.height / 8) } });
    await soon(async () => assert.match(await title(run), /^Tile 5, 5:/));
    await page.mouse.move(2, 2);
    await soon(async () => assert.match(await title(run), /^Tile 2, 3:/));
    // The list of a larger tile includes those of the smaller tiles in it.
    await choose(run, "Tile size in pixels", "16 × 16");
    await tiles.click({ position: { x: 1.5 * (box.width / 4), y: 1.5 * (box.height / 4) } });
    await soon(async () => {
      assert.match(await title(run), /^Tile 1, 1:/);
      const larger = (await listed(run)).map(Number);
      assert.ok(blobs.every((blob) => larger.includes(blob)) && larger.length > blobs.length);
    });
  });

  it("steps through the axes of a blob that is left out, up to the first that separates it", async () => {
    const hand = handFigure();
    const test = figure("Separating-axis test");
    await seen(hand, list(hand).getByRole("button"));
    await page.mouse.move(2, 2);
    await list(hand).getByRole("button").last().click();
    await soon(async () => assert.match(await test.getByRole("heading").innerText(), /: not in the list$/));
    const stepper = test.getByRole("group", { name: "Axis of the separating-axis test" });
    await stepper.getByRole("button", { name: "To the last step" }).click();
    await soon(async () => assert.match(await words(stepper), /A gap of 0\.\d+: this axis separates them\./));
    assert.ok(await stepper.getByRole("button", { name: "One step forward" }).isDisabled());
    await soon(async () => {
      const lines = (await activeLines(/shared\/bounds\.wgsl$/)).join();
      assert.ok(lines.includes("separates(") && lines.includes("> reach("), lines);
    });
    // The blob that is chosen in the run's image, against its tile.
    const run = runFigure();
    const tile = /\d+, \d+/.exec(await title(run))![0];
    await test.getByLabel("blobs of the run").check();
    await soon(async () => assert.ok((await test.getByRole("heading").innerText()).includes(`against tile ${tile}:`)));
    await list(run)
      .getByRole("button", { name: /, in the list$/ })
      .last()
      .click();
    await soon(async () => assert.match(await test.getByRole("heading").innerText(), /: in the list$/));
    await test.getByLabel("movable blobs").check();
    await soon(async () => assert.match(await test.getByRole("heading").innerText(), /: not in the list$/));
  });

  it("follows a blob that is dragged, moved by keys or widened, and marks it in the list and the image", async () => {
    const hand = handFigure();
    await page.mouse.move(2, 2);
    const body = hand.getByRole("button", { name: /^Blob 1: press Enter/ });
    const tiles = hand.getByRole("application");
    const tile = (await listed(hand)).join();
    assert.ok(!tile.split(",").includes("1"));
    await tiles.evaluate((node) => node.scrollIntoView({ block: "center" }));
    const box = (await tiles.boundingBox())!;
    const from = (await body.boundingBox())!;
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + (28 / 64) * box.width, box.y + (36 / 64) * box.height, { steps: 3 });
    await page.mouse.up();
    await soon(async () => assert.ok((await listed(hand)).includes("1"), "it is on the tile now"));
    assert.match(await title(hand), /^Tile 3, 4:/, "the drag chose no other tile");
    const stops = hand.getByRole("button", { name: /: press Enter/ }).and(page.locator('[tabindex="0"]'));
    assert.equal(await stops.count(), 1);
    await hand.getByRole("button", { name: /^Blob 0: press Enter/ }).focus();
    const place = await body.getAttribute("transform");
    await page.keyboard.press("ArrowRight");
    assert.match((await stops.getAttribute("aria-label"))!, /^Blob 1:/);
    assert.equal(await body.getAttribute("transform"), place, "arrow keys go from blob to blob without moving any");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowRight");
    assert.notEqual(await body.getAttribute("transform"), place);
    await hand.getByLabel("Length σ in pixels", { exact: true }).fill("0.5");
    await hand.getByLabel("Width σ in pixels", { exact: true }).fill("0.5");
    await soon(async () => assert.equal(await fact(hand, "in the list"), `${(await listed(hand)).length} of 9`));
    await body.press("Enter");
    for (let i = 0; i < 12; i++) await body.press("ArrowDown");
    await soon(async () => assert.ok(!(await listed(hand)).includes("1"), "and now it does not"));
    await list(hand)
      .getByRole("button", { name: /^Blob 1,/ })
      .hover();
    assert.ok((await marked(hand.locator("path"))).length > 0);
    await hand.getByRole("button", { name: /^Blob 0: press Enter/ }).dispatchEvent("pointerover");
    const inList = await marked(list(hand).getByRole("button"));
    assert.deepEqual(await Promise.all(inList.map((button) => button.innerText())), ["0"]);
    await hand.getByRole("button", { name: "Reset" }).click();
    await soon(async () => assert.equal((await listed(hand)).join(), tile));
  });

  it("fills the list iteration by iteration as the CPU reference does, and keeps its state after invalid input", async () => {
    const stride = figure("A strided loop over the blobs");
    const stepper = stride.getByRole("group", { name: "Iteration of the strided loop" });
    const tests = stride.locator('[aria-label="cell"] rect');
    const columns = stride.locator('[aria-label="x-axis tick label"] text');
    const scanned = async () => ({ blobs: await tests.count(), threads: await columns.count() });
    const scene = strideScene(5, 17, 4);
    await seen(stride, tests);
    await stride.getByLabel("Threads", { exact: true }).fill("5");
    await stride.getByLabel("Blobs", { exact: true }).fill("17");
    await soon(async () => assert.deepEqual(await scanned(), { blobs: 17, threads: 5 }));
    await stepper.getByRole("button", { name: "To the last step" }).click();
    const lists = Array.from({ length: scene.across * scene.down }, (_, t) =>
      Array.from(blobsOfTile(scene.lists, t)).join(),
    );
    await soon(async () => {
      const slots = await stride.getByRole("list").first().locator("b").allInnerTexts();
      assert.equal(String(slots.length), await stride.locator("output", { hasText: /^\d+$/ }).innerText());
      assert.ok(lists.includes(slots.join()), slots.join());
    });
    await stride.getByLabel("Threads", { exact: true }).fill("33");
    const alert = stride.getByRole("alert").first();
    assert.match(
      await alert.innerText(),
      /^Threads must be a whole number between 1 and 32 \(got 33\)\. Troubleshooting$/,
    );
    assert.deepEqual(await scanned(), { blobs: 17, threads: 5 });
    await stride.getByLabel("Threads", { exact: true }).fill("8");
    assert.equal(await alert.innerText(), "");
    await soon(async () => assert.deepEqual(await scanned(), { blobs: 17, threads: 8 }));
    await columns.nth(3).hover();
    assert.equal((await marked(tests)).length, 2, "thread 3 tests blobs 3 and 11");
    await stepper.getByRole("button", { name: "One step forward" }).click();
    await soon(async () => assert.match(await words(stepper), /^Iteration 1 of 3: Threads 0 to 7 test blobs 0 to 7; /));
  });

  it("shows the middle of one axis for a wide render, of the other for a tall one, and the corners of a tile", async () => {
    const uv = figure("Renders of other aspect ratios");
    await seen(uv, uv.locator("dl"));
    const facts = (...names: string[]) => Promise.all(names.map((name) => fact(uv, name)));
    assert.deepEqual(await facts("v covered"), ["0.219 to 0.781"]);
    await choose(uv, "Render, in pixels", "90 × 160");
    await soon(async () => {
      assert.deepEqual(await facts("u covered"), ["0.219 to 0.781"]);
      assert.match((await activeLines(/shared\/uv\.wgsl$/))[0], /vec2f\(covered, 1\.0\)/);
    });
    await choose(uv, "Render, in pixels", "128 × 128");
    await soon(async () =>
      assert.deepEqual(await facts("u covered", "v covered"), ["0.000 to 1.000", "0.000 to 1.000"]),
    );
    await choose(uv, "Render, in pixels", "64 × 128");
    await choose(uv, "Tile size in pixels", "32 × 32");
    const tiles = uv.getByRole("application");
    await soon(async () => {
      const size = await tiles.locator("canvas").evaluate((node) => {
        const { width, height } = node as HTMLCanvasElement;
        return [width, height];
      });
      assert.deepEqual(size, [64, 128]);
    });
    await bringIntoView(tiles);
    const box = (await tiles.boundingBox())!;
    await tiles.click({ position: { x: 0.75 * box.width, y: 0.1 * box.height } });
    await soon(async () => {
      assert.deepEqual(await facts("tileLow", "tileHigh"), ["0.5000, 0.0000", "0.7500, 0.2500"]);
    });
  });

  it("tries shorter windows for smaller capacities, and larger lists drop less", async () => {
    const overflow = figure("Overflow of a tile list");
    const truncated = figure("Complete and truncated tile lists");
    await seen(overflow, overflow.locator('[aria-label="bar"] rect'));
    await seen(truncated, truncated.locator("dl"));
    const length = Number((await fact(overflow, "meet the tile")).split(" ")[0]);
    const passes: number[] = [];
    for (const cap of [8, 16, 256]) {
      await choose(overflow, "Tile list capacity (GAUSSIANS_PER_BLOCK)", String(cap));
      await soon(async () => {
        assert.equal(await fact(truncated, "dropped"), String(Math.max(length - cap, 0)));
        assert.equal(await overflow.getByRole("listitem").count(), cap);
      });
      passes.push(Number(await fact(overflow, "passes")));
      assert.equal(await overflow.locator("svg text", { hasText: /^pass \d+:/ }).count(), passes.at(-1));
      const last = overflow.getByRole("button", { name: "To the last step" });
      if (await last.isEnabled()) await last.click();
      await soon(async () => {
        assert.match(
          await words(overflow.getByRole("group", { name: "Window of blob indices" })),
          new RegExp(`as pass ${passes.at(-1)}\\. .* No index is left\\.`),
        );
        assert.equal(await overflow.getByRole("listitem").count(), cap);
      });
    }
    assert.ok(passes[0] > passes[1] && passes[1] > 1 && passes[2] === 1, `${passes}`);
    await truncated.locator("dd", { hasText: "none" }).first().waitFor();
  });

  it("reports no errors and makes no requests to other origins", () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });
});
