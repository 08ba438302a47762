import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { editsToHash } from "../../../src/components/cells/linkedEdits.js";
import { bringIntoView, openPage, reloadAtTop } from "../../support/pages.js";
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
  const foot = () => page.getByRole("region", { name: "The cells of this page" });
  const status = () => foot().getByRole("status");
  const question = () => page.getByRole("region", { name: "Cells that have not run" });
  const shows = (text: string) => page.locator(".observablehq--string", { hasText: `"${text}"` });
  const has = (name: string) => page.evaluate((name) => name in window, name);
  const focused = (locator: Locator) => locator.and(page.locator(":focus"));
  const edit = async (tools: Locator, source: string) => {
    await tools.getByRole("textbox").fill(source);
    await tools.getByRole("textbox").press("Control+Enter");
  };
  /** Opens the editor of the training cell, below its listing. */
  const openRun = () =>
    page.locator(".observablehq-pre-container", { hasText: "const run = train(" }).getByText("Edit").click();
  /** Accepts; repeats the click if the page scrolled to the button, which then ignores clicks for a while. */
  const accept = async (where = page) => {
    const run = where.getByRole("button", { name: "Run cells" });
    await run.waitFor();
    while (await run.isVisible()) await run.click();
  };
  const choose = (from: string, template: string, nth = 0) =>
    cell(from)
      .getByLabel("Add a cell")
      .evaluate(
        (select, [template, nth]) => {
          const options = Array.from((select as HTMLSelectElement).options).filter(({ label }) => label === template);
          (select as HTMLSelectElement).selectedIndex = options[nth].index;
          select.dispatchEvent(new Event("change"));
        },
        [template, nth] as const,
      );
  const add = async (below: string, source: string) => {
    await choose(below, "JavaScript");
    const text = focused(page.getByRole("textbox")).and(page.getByLabel("the cell new"));
    await text.fill(source);
    await text.press("Control+Enter");
  };

  it("load their editor on demand, run again when they are edited, and drive the cells that use them", async () => {
    const scripts = () => page.evaluate(() => performance.getEntriesByType("resource").length);
    const before = await scripts();
    await openRun();
    await edit(cell("run"), `${runOf("steps: 33")}\ndisplay(\`ends at \${run.until}\`);`);
    await shows("ends at 33").waitFor();
    assert.ok((await scripts()) > before);
    await lab.untilStep((step) => step === 33);
    await page.getByText("An edited cell sets Steps to 33.").waitFor();
    await status().getByText("1 edited cell, saved in this browser.").waitFor();
  });

  it("keep the definition in use if they cannot be compiled, and name the line and the name that was meant", async () => {
    for (const [source, error] of [
      [`${runOf("")}\nconst broken = ;`, "Line 2, column 16: Unexpected token."],
      [
        "const one = 1;\nconst run = one + optionz;",
        "Line 2, column 19: optionz is not defined. Did you mean options?",
      ],
      [`${runOf("")}\nconst blobs = 1;`, "Line 2, column 7: Another cell of this page already declares blobs."],
      ["const run = snapshot.step;", "Line 1, column 13: This cell uses snapshot, which depends on this cell."],
    ]) {
      await edit(cell("run"), source);
      await cell("run").getByText(`${error} The previous version stays in use.`).waitFor();
      await cell("run").getByText("not run").waitFor();
    }
    await shows("ends at 33").waitFor();
    assert.equal(await lab.step(), 33);
  });

  it("show an error with its line, while the cells that use them wait", async () => {
    await edit(cell("run"), "const one = 1;\n\nconst run = undefined.start(one);");
    await cell("run").getByText("Line 3, column 23: TypeError: Cannot read properties of undefined").waitFor();
    await page.getByText("Waits for run.").first().waitFor();
    await page.getByText("Waits for parameters.").first().waitFor();
    await edit(cell("run"), runOf("steps: options.steps"));
    await lab.untilStep((step) => step === 20);
    await page.getByText(/^Waits for/).waitFor({ state: "detached" });
    lab.watched.complaints.splice(0);
  });

  it("can be added, also in TypeScript and Markdown, wait for each other, and follow the page", async () => {
    await add("run", `md\`The last step is **\${twice / 2}** of \${options.steps}.\``);
    await page.getByText("twice is not defined.").waitFor();
    await add("run", "const twice: number = 2 * (run.until as number);");
    await page.getByText("The last step is 20 of 20.").waitFor();
    await lab.turn("Steps", 24);
    await page.getByText("The last step is 24 of 24.").waitFor();
    const dots = 'Plot.dot(parameters, {x: "center_x_decoded"}).plot({ariaLabel: countThings(48, "thing")})';
    const imports = 'import {counted as countThings} from "./figures.js";';
    await add("run", `${imports}\ndisplay(${dots});`);
    await page.getByLabel("48 things").locator("circle").nth(19).waitFor();
    await add("run", "const once = 1;");
    await choose("run", "Markdown", 1);
    await page.getByText(/^The value is \d/).waitFor();
    const names = page.getByRole("group", { name: /^Cell / });
    const order = (await names.evaluateAll((all) => all.map((one) => one.ariaLabel))).join(", ");
    assert.match(order, /^Cell md`The value.*, Cell run, Cell once, Cell import .*, Cell twice, Cell md`The last step/);
  });

  it("that throw show their error in place, while the run continues to its end", async () => {
    await add("run", 'const mine = snapshot.step;\nif (mine > 1) throw new Error("of mine at a step");');
    await lab.turn("Steps", 26);
    await page.getByText("Line 2, column 21: of mine at a step").waitFor();
    await lab.untilStep((step) => step === 26);
    await lab.reaches("Done");
    lab.watched.complaints.splice(0);
    await lab.turn("Steps", 24);
    await lab.untilStep((step) => step === 24);
  });

  it("are completed, run, deleted and restored by a reader with a keyboard alone", async () => {
    const press = (key: string) => page.keyboard.press(key);
    await choose("run", "JavaScript");
    await focused(page.getByLabel("the cell new")).waitFor();
    await page.keyboard.insertText('display("two is " + 2 * blobs);\n');
    await page.keyboard.type("evenlyS");
    await page.getByRole("option", { selected: true }).getByText("evenlySpacedIndices", { exact: true }).waitFor();
    await press("Escape");
    for (let i = 0; i < "evenlyS".length; i++) await press("Backspace");
    await press("Shift+Enter");
    await shows("two is 40").waitFor();
    await press("Escape");
    while ((await page.evaluate(() => document.activeElement?.textContent)) !== "Delete") await press("Tab");
    await press("Enter");
    await shows("two is 40").waitFor({ state: "detached" });
    await focused(button("Restore")).press("Enter");
    await shows("two is 40").waitFor();
  });

  it("refuse forbidden attributes in Markdown", async () => {
    await add("run", 'md`<b onclick="alert()">No</b>`');
    await page.getByText("Text that becomes part of this page must not contain the attribute onclick.").waitFor();
  });

  it("are saved as they were typed, and run after a reload only when the reader accepts", async () => {
    await cell("run")
      .getByRole("textbox")
      .fill(`${runOf("steps: options.steps")}\n// typed, not run`);
    const saved = await status().innerText();
    await reloadAtTop(page);
    await question()
      .getByText(/^This browser has saved \d edited cells of this page\./)
      .waitFor();
    assert.match(await question().innerText(), /Changed: run.*typed, not run.*New/s);
    await lab.reaches("Done");
    assert.equal(await page.locator(".markdown-cell").count(), 0);
    await accept();
    await page.getByText("The last step is 24 of 24.").waitFor();
    assert.match(await cell("run").getByRole("textbox").innerText(), /typed, not run/);
    assert.equal(await status().innerText(), saved);
  });

  it("are reverted together", async () => {
    page.once("dialog", (dialog) => dialog.accept());
    await button("Revert all").click();
    await page.getByText("The last step is").waitFor({ state: "detached" });
    await lab.reaches("Done");
    assert.equal(await foot().innerText(), "");
  });

  describe("in a link", () => {
    /** Returns edits that hide more code behind spaces. */
    const asLink = (text: string, more: string) => {
      const source = `display("${text}");${" ".repeat(4000)}${more}`;
      return editsToHash({ edits: {}, added: [{ after: "", before: "", source }] });
    };
    const follow = (hash: string) => page.evaluate((hash) => location.assign(hash), hash);

    it("are listed in full, and cannot be accepted at once or by a reader who clicks without a pause", async () => {
      await openRun();
      await add("run", 'display("my own");');
      await status().getByText("1 edited cell, saved in this browser.").waitFor();
      await follow(asLink("from a link", "window.hasRun = true; // \u202e\u3164"));
      const text = await question().innerText();
      assert.match(text, /This link has 1 edited cell of this page\. None of them has run\./);
      assert.match(text, /from a link.*hasRun = true; \/\/ U\+202EU\+3164/s);
      const run = question().getByRole("button", { name: "Run cells" });
      await bringIntoView(run);
      await question().locator('button[aria-disabled="false"]').waitFor();
      // A change of the window disarms the button for a while, and so does each press within it.
      const isDisarmed = await run.evaluate((node: HTMLElement) => {
        return ["resize", "click", "click"].map((event) => {
          (event === "resize" ? window : node).dispatchEvent(new Event(event, { bubbles: true }));
          return node.ariaDisabled;
        });
      });
      assert.deepEqual(isDisarmed, ["true", "true", "true"]);
      assert.equal(await has("hasRun"), false);
      await question().locator('button[aria-disabled="false"]').waitFor();
      await accept();
      await shows("from a link").waitFor();
      assert.equal(await has("hasRun"), true);
      await status().getByText("1 edited cell, for this visit.").waitFor();
    });

    it("last for the visit, and the reader's own stay saved", async () => {
      assert.equal(await shows("my own").count(), 0);
      await reloadAtTop(page);
      await question().getByRole("button", { name: "Ignore cells" }).click();
      await question().getByText("This browser has saved 1 edited cell of this page.").waitFor();
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
      await question().getByText("This browser has saved 1 edited cell of this page. None of them has run.").waitFor();
      assert.equal(await has("hasRun"), false);
      await page.goto(`/${job}#cells=damaged`);
      await page.getByText("The cells in this link are damaged").waitFor();
    });

    it("run without storage, but not in a frame", async () => {
      const link = `/docs/speed${asLink("without storage", "")}`;
      const script = "delete window.localStorage;";
      const { page: closed } = await openPage(link, { webgpu: false, script });
      await accept(closed);
      await closed.locator(".observablehq--string", { hasText: "without storage" }).waitFor();
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
