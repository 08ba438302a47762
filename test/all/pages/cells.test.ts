import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { editsToHash } from "../../../src/components/cells/pageEdits.js";
import { cellsOf } from "../../../src/components/cells/pageSource.js";
import { bringIntoView, openPage, readDownload, reloadAtTop } from "../../support/pages.js";
import { LabPage } from "./labPage.js";

/** Returns the training cell with more settings. */
const runOf = (more: string) =>
  `const run = train({engine, image, ...options, blobs, learningRate, tile, gaussiansPerBlock, ${more}}, invalidation);`;

const job = "?blobs=20&steps=20&size=32&engine=cpu";

describe("the cells of a published page", () => {
  let lab: LabPage;
  let page: Page;
  beforeAll(async () => {
    lab = await LabPage.open(job);
    page = lab.page;
    await lab.reaches("Done");
  });

  const button = (name: string) => page.getByRole("button", { name });
  const cell = (name: string) => page.getByRole("group", { name: `Cell ${name}`, exact: true });
  const status = () => page.getByRole("region", { name: "The cells of this page" }).getByRole("status");
  const question = () => page.getByRole("region", { name: "Cells that have not run" });
  const shows = (text: string) => page.getByText(`"${text}"`, { exact: true });
  const has = (name: string) => page.evaluate((name) => name in window, name);
  const focused = (locator: Locator) => locator.and(page.locator(":focus"));
  /** Opens a cell's editor and replaces its source. */
  const type = async (tools: Locator, source: string) => {
    const text = tools.getByRole("textbox");
    if (!(await text.isVisible())) await tools.getByRole("button", { name: "Edit" }).click();
    await text.fill(source);
  };
  const edit = async (tools: Locator, source: string) => {
    await type(tools, source);
    await tools.getByRole("textbox").press("Control+Enter");
  };
  /** Accepts; repeats the click if the page scrolled to the button, which then ignores clicks for a while. */
  const accept = async (where = page) => {
    const run = where.getByRole("button", { name: "Run cells" });
    await run.waitFor();
    while (await run.isVisible()) await run.click();
  };
  /** Chooses an item of a cell's menu. */
  const choose = async (tools: Locator, menu: string, item: string, group = menu) => {
    await tools.getByRole("button", { name: menu }).click();
    await tools.getByRole("group", { name: group }).getByRole("menuitem", { name: item }).click();
  };
  const add = async (below: string, language: string, source: string) => {
    await choose(cell(below), "Insert", language, "Below");
    const text = focused(page.getByRole("textbox")).and(page.getByLabel("the new cell"));
    await text.fill(source);
    await text.press("Control+Enter");
  };

  it("load their editor on demand, run again when they are edited, and drive the cells that use them", async () => {
    const scripts = () => page.evaluate(() => performance.getEntriesByType("resource").length);
    await button("Edit the cells").click();
    await cell("run").waitFor();
    const before = await scripts();
    await edit(cell("run"), `${runOf("steps: 33")}\ndisplay(\`ends at \${run.until}\`);`);
    await shows("ends at 33").waitFor();
    assert.ok((await scripts()) > before);
    await lab.untilStep((step) => step === 33);
    await status().getByText("1 cell changed, saved in this browser.").waitFor();
  });

  it("show an error with its line, and keep the definition in use", async () => {
    for (const [source, error] of [
      [`${runOf("")}\nconst broken = ;`, "Line 2: Unexpected token. The previous version stays in use."],
      [
        "\n\nconst run = undefined.start(1);",
        "Line 3: TypeError: Cannot read properties of undefined (reading 'start').",
      ],
      ["const one = 1;\nconst run = one + mne;", "Line 2: mne is not defined."],
      [`${runOf("")}\nconst blobs = 1;`, "Another cell of this page already declares blobs."],
    ]) {
      await edit(cell("run"), source);
      await cell("run").getByText(error).waitFor();
    }
    await shows("ends at 33").waitFor();
    assert.equal(await lab.step(), 33);
  });

  it("can be added in JavaScript, TypeScript and Markdown, wait for each other, and follow the page", async () => {
    await edit(cell("run"), runOf("steps: options.steps"));
    await add("run", "Markdown", `The last step is **\${twice / 2}** of \${options.steps}.`);
    await page.getByText("twice is not defined.").waitFor();
    await add("run", "TypeScript", "const twice: number = 2 * (run.until as number);");
    await page.getByText("The last step is 20 of 20.").waitFor();
    await lab.turn("Steps", 24);
    await page.getByText("The last step is 24 of 24.").waitFor();
    const dots = 'Plot.dot(parameters, {x: "center_x_decoded"}).plot({ariaLabel: countThings(twice, "thing")})';
    const names = 'import {counted as countThings} from "./figures.js";';
    await add("twice", "JavaScript", `${names}\ndisplay(${dots});`);
    await page.getByLabel("48 things").locator("circle").nth(19).waitFor();
    await add("twice", "JavaScript", "const halved = twice / 2;");
    await edit(cell("twice"), "const twice: number = 2 * halved;");
    await cell("twice").getByText("This cell uses halved, which depends on this cell.").waitFor();
    await edit(cell("twice"), "const twice: number = 2 * (run.until as number);");
    await choose(cell("halved"), "More", "Delete");
  });

  it("that throw show their error in place, while the run continues to its end", async () => {
    await add("run", "JavaScript", 'const mine = snapshot.step;\nif (mine > 1) throw new Error("of mine at a step");');
    await lab.turn("Steps", 26);
    await cell("mine").getByText("Line 2: of mine at a step").waitFor();
    await lab.untilStep((step) => step === 26);
    await lab.reaches("Done");
    lab.watched.complaints.splice(0);
    await choose(cell("mine"), "More", "Delete");
    await lab.turn("Steps", 24);
    await lab.untilStep((step) => step === 24);
  });

  it("are inserted, completed, run, deleted and restored by a reader with a keyboard alone", async () => {
    const press = (key: string) => page.keyboard.press(key);
    await cell("run").getByRole("button", { name: "Insert" }).focus();
    await press("Enter");
    const below = page.getByRole("menuitem", { name: "JavaScript" }).nth(1);
    while (!(await below.evaluate((node) => node === document.activeElement))) await press("ArrowDown");
    await press("Enter");
    await focused(page.getByLabel("the new cell")).waitFor();
    await page.keyboard.insertText('const two = 2 * blobs;\ndisplay("two is " + two);\n');
    await page.keyboard.type("evenlyS");
    await page.getByRole("option", { selected: true }).getByText("evenlySpacedIndices", { exact: true }).waitFor();
    await press("Escape");
    for (let i = 0; i < "evenlyS".length; i++) await press("Backspace");
    await press("Shift+Enter");
    await shows("two is 40").waitFor();
    await cell("two").getByRole("button", { name: "More" }).focus();
    await press("Enter");
    const remove = page.getByRole("menuitem", { name: "Delete" });
    while (!(await remove.evaluate((node) => node === document.activeElement))) await press("ArrowDown");
    await press("Enter");
    await shows("two is 40").waitFor({ state: "detached" });
    await focused(button("Restore cell")).press("Enter");
    await shows("two is 40").waitFor();
    await choose(cell("two"), "More", "Delete");
  });

  it("of prose are edited as Markdown, and reject forbidden attributes", async () => {
    await page.getByRole("button", { name: /^Show all \d+ cells$/ }).click();
    const prose = page.getByRole("group", { name: /^Cell ### Values to use/ });
    await edit(prose, `## Of mine\n\nThe step is *\${snapshot.step}*.`);
    await page.getByText("The step is 24.").waitFor();
    await edit(prose, '<b onclick="alert()">No</b>');
    const refused = "Text that becomes part of this page must not contain the attribute onclick.";
    await prose.getByText(`${refused} The previous version stays in use.`).waitFor();
    await page.getByText("The step is 24.").waitFor();
    await edit(prose, `## Of mine\n\nThe step is *\${snapshot.step}*.`);
    await prose.getByText(refused).waitFor({ state: "detached" });
  });

  it("are saved, also as drafts, and run after a reload only when the reader accepts", async () => {
    await type(cell("run"), `${runOf("steps: options.steps")}\n// a draft`);
    const saved = "2 cells changed, 3 added";
    await status().getByText("1 draft").waitFor();
    await reloadAtTop(page);
    await question().getByText(`This browser has saved edits of this page: ${saved}.`).waitFor();
    assert.match(await question().innerText(), /Of mine.*twice: number = .*The last step is /s);
    await lab.reaches("Done");
    assert.equal(await page.getByRole("heading", { name: "Of mine" }).count(), 0);
    await accept();
    await page.getByText("The last step is 24 of 24.").waitFor();
    await page.getByRole("heading", { name: "Of mine" }).waitFor();
    await button("Edit the cells").click();
    assert.match(await cell("run").getByRole("textbox").innerText(), /a draft/);
    await cell("run").getByRole("button", { name: "Discard draft" }).click();
    await status().getByText(`${saved}, saved in this browser.`).waitFor();
  });

  it("are downloaded with the page, which opens with the same edits when the reader accepts", async () => {
    const downloading = page.waitForEvent("download");
    await button("Download the page").click();
    const buffer = await readDownload(await downloading);
    const sources = cellsOf(String(buffer)).map(({ source }) => source);
    const at = sources.findIndex((source) => source.startsWith("const run = train("));
    assert.equal(sources[at + 1], "const twice: number = 2 * (run.until as number);");
    const published = cellsOf(await readFile("src/index.md", "utf8"));
    assert.equal(sources.length, published.length + 3);
    await button("Revert all").click();
    await page.getByRole("heading", { name: "Of mine" }).waitFor({ state: "detached" });
    const choosing = page.waitForEvent("filechooser");
    await button("Open a file").click();
    await (await choosing).setFiles({ name: "index.md", mimeType: "", buffer });
    await question()
      .getByText(/index\.md contains cells: .* None of them has run\./)
      .waitFor();
    assert.equal(await page.getByRole("heading", { name: "Of mine" }).count(), 0);
    await accept();
    await page.getByRole("heading", { name: "Of mine" }).waitFor();
    await page.getByText("The last step is 24 of 24.").waitFor();
    await button("Revert all").click();
    await page.getByRole("heading", { name: "Of mine" }).waitFor({ state: "detached" });
    await page.reload();
    await lab.reaches("Done");
    assert.equal(await status().innerText(), "");
  });

  describe("in a link", () => {
    /** Returns edits that hide more code behind spaces. */
    const asLink = (text: string, more: string) => {
      const source = `display("${text}");${" ".repeat(4000)}${more}`;
      return editsToHash({ edits: {}, added: [{ id: "added-1", after: "", language: "js", source }] });
    };
    const follow = (hash: string) => page.evaluate((hash) => location.assign(hash), hash);

    it("are listed in full, and cannot be accepted at once or by a reader who clicks without a pause", async () => {
      await button("Edit the cells").click();
      await add("run", "JavaScript", 'display("my own");');
      await status().getByText("1 added, saved in this browser.").waitFor();
      await follow(asLink("from a link", "window.hasRun = true; // \u202e\u3164"));
      const text = await question().innerText();
      assert.match(text, /This link contains cells: 1 added\. None of them has run\./);
      assert.match(text, /from a link.*hasRun = true; \/\/ U\+202EU\+3164/s);
      const run = question().getByRole("button", { name: "Run cells" });
      await bringIntoView(run);
      // The button is disarmed by each input, for a while.
      const isDisarmed = (event: string) =>
        run.evaluate((node, event) => {
          node.dispatchEvent(new Event(event, { bubbles: true }));
          (node as HTMLElement).click();
          return node.getAttribute("aria-disabled");
        }, event);
      for (const event of ["resize", "pointerdown", "click", "keydown"])
        assert.equal(await isDisarmed(event), "true", event);
      assert.equal(await has("hasRun"), false);
      await question().locator('button[aria-disabled="false"]').waitFor();
      await accept();
      await shows("from a link").waitFor();
      assert.equal(await has("hasRun"), true);
      await status().getByText("1 added, for this visit.").waitFor();
    });

    it("last for the visit, and the reader's own stay saved", async () => {
      assert.equal(await shows("my own").count(), 0);
      await reloadAtTop(page);
      await question().getByRole("button", { name: "Ignore cells" }).click();
      await question().getByText("This browser has saved edits of this page: 1 added.").waitFor();
      assert.equal(await has("hasRun"), false);
      await accept();
      await shows("my own").waitFor();
      assert.doesNotMatch(page.url(), /#cells/);
    });

    it("cannot run cells that they store for other pages", async () => {
      const left = {
        edits: {},
        added: [{ id: "added-2", after: "", language: "js", source: "window.hasRun = true;" }],
      };
      const value = JSON.stringify(JSON.stringify(left));
      await follow(asLink("leaves", `localStorage.setItem("splatbook cells /docs/speed", ${value});`));
      await accept();
      await shows("leaves").waitFor();
      await page.goto("/docs/speed");
      await question().getByText("This browser has saved edits of this page: 1 added. None of them has run.").waitFor();
      assert.equal(await has("hasRun"), false);
      await page.goto(`/${job}#cells=damaged`);
      await page.getByText("The cells in this link are damaged").waitFor();
    });

    it("run without storage, but not in a frame", async () => {
      const link = `/docs/speed${asLink("without storage", "")}`;
      const script = "delete window.localStorage;";
      const { page: closed } = await openPage(link, { webgpu: false, script });
      await accept(closed);
      await closed.getByText('"without storage"', { exact: true }).waitFor();
      // A host that sends no headers lets its pages be framed.
      await closed.route(/\/(outside|speed)$/, async (route) => {
        const isOutside = route.request().url().endsWith("outside");
        const frame = `<iframe width="1000" height="800" src="${link}"></iframe>`;
        const body = isOutside ? frame : await (await route.fetch()).text();
        await route.fulfill({ contentType: "text/html; charset=utf-8", body });
      });
      await closed.goto("/outside");
      const inside = closed.frameLocator("iframe");
      await inside.getByText("Edited cells do not run in a page inside a frame.").waitFor();
      assert.equal(await inside.getByRole("button", { name: "Run cells" }).count(), 0);
      await closed.context().close();
    });
  });
});
