import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Locator } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { editsToHash } from "../../../src/components/cells/pageEdits.js";
import { cellsOf } from "../../../src/components/cells/pageSource.js";
import { bringIntoView, openPage, readDownload, reloadAtTop, until } from "../../support/pages.js";
import { LabPage } from "./labPage.js";

/** Returns the training cell with more settings. */
const runOf = (more: string) =>
  `const run = train({engine, image, ...options, blobs, learningRate, tile, gaussiansPerBlock, ${more}}, invalidation);`;

const job = "?blobs=20&steps=20&size=32&engine=cpu";

describe("the cells of a published page", () => {
  let lab: LabPage;
  beforeAll(async () => {
    lab = await LabPage.open(job);
    await lab.page.getByRole("button", { name: "Edit the cells" }).click();
  });

  /** The page's prose before it is edited. */
  let own: string;
  const cell = (name: string) => lab.page.getByRole("group", { name: `Cell ${name}`, exact: true });
  const status = () => lab.page.getByRole("region", { name: "The cells of this page" }).getByRole("status");
  /** Opens a cell's editor and replaces its source. */
  const type = async (tools: Locator, source: string) => {
    const text = tools.getByRole("textbox");
    if (!(await text.isVisible())) await tools.getByRole("button", { name: "Edit" }).click();
    await text.fill(source);
  };
  const runs = (tools: Locator) => tools.getByRole("textbox").press("Control+Enter");
  const question = () => lab.page.getByRole("region", { name: "Cells that have not run" });
  const reload = () => reloadAtTop(lab.page);
  /** Accepts; repeats the click if the page scrolled to the button, which then ignores clicks for a while. */
  const accept = async (page = lab.page) => {
    const button = page.getByRole("button", { name: "Run cells" });
    await button.waitFor();
    while (await button.isVisible()) await button.click();
  };
  const downloaded = async () => {
    const downloading = lab.page.waitForEvent("download");
    await lab.page.getByRole("button", { name: "Download the page" }).click();
    return downloading;
  };
  /** Chooses an item of a cell's menu. */
  const choose = async (tools: Locator, menu: string, item: string, group = menu) => {
    await tools.getByRole("button", { name: menu }).click();
    await tools.getByRole("group", { name: group }).getByRole("menuitem", { name: item }).click();
  };
  const add = async (below: string, language: string, source: string) => {
    await choose(cell(below), "Insert", language, "Below");
    const text = lab.page.getByRole("textbox").and(lab.page.locator(":focus"));
    await text.and(lab.page.getByLabel("the new cell")).fill(source);
    await text.press("Control+Enter");
  };

  it("run again when they are edited, and drive the cells that use them", async () => {
    await lab.reaches("Done");
    await type(cell("run"), `${runOf("steps: 33")}\ndisplay(\`ends at \${run.until}\`);`);
    await runs(cell("run"));
    await lab.page.getByText('"ends at 33"').waitFor();
    await lab.untilStep((step) => step === 33);
    await status().getByText("1 cell changed, saved in this browser.").waitFor();
  });

  it("show an error with its line, and keep the definition in use", async () => {
    const run = cell("run");
    await type(run, `${runOf("")}\nconst broken = ;`);
    await runs(run);
    await run.getByText("Line 2: Unexpected token. The previous version stays in use.").waitFor();
    await type(run, "\n\nconst run = undefined.start(1);");
    await runs(run);
    await run.getByText("Line 3: TypeError: Cannot read properties of undefined (reading 'start').").waitFor();
    await run.locator(".cm-lintRange-error").waitFor();
    assert.equal(await lab.step(), 33);
    await lab.page.getByText('"ends at 33"').waitFor();
    await type(run, `${runOf("")}\nconst blobs = 1;`);
    await runs(run);
    await run.getByText("Another cell of this page already declares blobs.").waitFor();
  });

  it("show a later error for as long as it lasts", async () => {
    await lab.turn("Steps", 21);
    await add("run", "JavaScript", "const half = options.steps % 2 ? undefined.half : options.steps / 2;");
    // Even of a cell that has never had a value.
    for (const steps of [20, 21, 20]) {
      const error = "Line 1: TypeError: Cannot read properties of undefined (reading 'half').";
      if (steps === 20) await cell("half").getByText(error).waitFor();
      assert.equal(await cell("half").getByText("stays").count(), 0);
      await lab.turn("Steps", steps);
      if (steps === 20) await cell("half").getByText("TypeError").waitFor({ state: "detached" });
    }
    await type(cell("half"), 'const half = options.steps / 2;\nsetTimeout(() => { throw new Error("late"); }, 200);');
    await runs(cell("half"));
    await cell("half").getByText("Line 2: late.").waitFor();
    lab.watched.complaints.splice(0);
  });

  it("reject cycles and duplicate names, whichever has its value first", async () => {
    await type(cell("half"), "const half = options.steps / 2;");
    await runs(cell("half"));
    await add("half", "JavaScript", "const quarter = half / 2;");
    await type(cell("half"), "const half = 2 * quarter;");
    await runs(cell("half"));
    await cell("half").getByText("This cell uses quarter, which depends on this cell.").waitFor();
    await type(
      cell("half"),
      "const half = await new Promise((done) => { globalThis.settle = done; });\nconst one = 1;",
    );
    await runs(cell("half"));
    await lab.page.waitForFunction(() => "settle" in globalThis);
    await add("quarter", "JavaScript", 'const one = display("shown" + " by one");');
    await lab.page.getByText('"shown by one"', { exact: true }).waitFor();
    await lab.page.evaluate(() => (globalThis as unknown as { settle(value: number): void }).settle(10));
    await cell("half, one").getByText("Another cell of this page already declares one.").waitFor();
  });

  it("return to their position when they are restored", async () => {
    await choose(cell("quarter"), "More", "Delete");
    await cell("quarter").waitFor({ state: "detached" });
    // The button has the focus.
    await lab.page.getByRole("button", { name: "Restore cell" }).and(lab.page.locator(":focus")).press("Enter");
    await cell("quarter").waitFor();
    assert.equal(await lab.page.locator('[aria-label="Cell quarter"] ~ [aria-label="Cell one"]').count(), 1);
    for (const name of ["quarter", "one", "half, one"]) await choose(cell(name), "More", "Delete");
  });

  describe("a reader with a keyboard alone", () => {
    const press = (key: string) => lab.page.keyboard.press(key);
    const write = (text: string) => lab.page.keyboard.insertText(text);
    const focused = (locator: Locator) => locator.and(lab.page.locator(":focus"));
    const snapshot = () => lab.page.getByRole("group", { name: /^Cell snapshot, / });
    const newText = () => lab.page.getByLabel("the new cell");
    const restoreButtons = () => lab.page.getByRole("button", { name: "Restore cell" });
    const two = () => lab.page.getByText('"two is 40"');
    const isDraft = () => cell("two").getByText("draft saved, not run").isVisible();

    it("ends editing and begins again", async () => {
      await lab.page.getByRole("button", { name: "Done editing" }).focus();
      await press("Enter");
      await snapshot().waitFor({ state: "hidden" });
      await focused(lab.page.getByRole("button", { name: "Edit the cells" })).press("Enter");
      await snapshot().waitFor();
    });

    it("opens the editor of a cell, leaves it and closes it", async () => {
      await snapshot().getByRole("button", { name: "Edit" }).focus();
      await press("Enter");
      await focused(snapshot().getByRole("textbox")).press("Escape");
      await focused(snapshot()).press("Tab");
      await focused(snapshot().getByRole("button", { name: "Close" })).press("Enter");
      await snapshot().getByRole("textbox").waitFor({ state: "hidden" });
    });

    it("inserts a cell from a menu", async () => {
      const insert = cell("run").getByRole("button", { name: "Insert" });
      await insert.focus();
      await press("Enter");
      const firstItem = lab.page.getByRole("menuitem", { name: "JavaScript" });
      await focused(firstItem).press("Escape");
      await focused(insert).press("Enter");
      await focused(firstItem).waitFor();
      const itemBelow = lab.page.getByRole("menuitem", { name: "JavaScript" }).nth(1);
      while (!(await itemBelow.evaluate((node) => node === document.activeElement))) await press("ArrowDown");
      await press("Enter");
      await focused(newText()).waitFor();
    });

    it("runs a cell and goes to the next", async () => {
      await write("const mine = 2 * blobs;");
      await press("Shift+Enter");
      await focused(snapshot()).waitFor();
      await cell("mine").waitFor();
    });

    it("sees an error at its place and repairs it", async () => {
      await choose(cell("mine"), "Insert", "JavaScript", "Below");
      await focused(newText()).waitFor();
      await write("const one = 1;\nconst two = one + mne;");
      await press("Control+Enter");
      await lab.page.getByText("Line 2: mne is not defined. Did you mean mine?").waitFor();
      await lab.page.locator(".cm-lintRange-error").getByText("mne", { exact: true }).waitFor();
      await press("Control+a");
      await write('const two = mine;\ndisplay("two is " + two);');
      await press("Control+Enter");
      await two().waitFor();
    });

    it("completes a name of the page", async () => {
      await press("Control+End");
      await press("Enter");
      await lab.page.keyboard.type("gradientN");
      const option = lab.page.getByRole("option", { selected: true });
      await option.getByText("gradientNotes", { exact: true }).waitFor();
      // The list ignores keys that were pressed before it could be read.
      await lab.page.waitForTimeout(300);
      await press("Enter");
      await until(
        () => cell("two").getByRole("textbox").innerText(),
        (text) => text.endsWith("\ngradientNotes"),
        "the text",
      );
    });

    it("undoes what was typed", async () => {
      assert.equal(await isDraft(), true);
      for (let i = 0; i < 9 && (await isDraft()); i++) await press("Control+z");
      assert.match(await cell("two").getByRole("textbox").innerText(), /^const two = mine;\ndisplay\(.*\);$/);
    });

    it("comments out a line and back", async () => {
      await press("Control+Home");
      await press("Control+/");
      await cell("two").getByText("// const two = mine;").waitFor();
      await press("Control+/");
      assert.equal(await isDraft(), false);
    });

    it("searches in a cell", async () => {
      await press("Control+f");
      await focused(lab.page.getByPlaceholder("Find")).waitFor();
      await lab.page.keyboard.type("two");
      await cell("two").locator(".cm-searchMatch").nth(2).waitFor();
      await press("Escape");
      await focused(cell("two").getByRole("textbox")).press("Escape");
      await focused(cell("two")).waitFor();
    });

    it("duplicates a cell, and deletes that", async () => {
      await cell("two").getByRole("button", { name: "More" }).focus();
      await press("Enter");
      await focused(lab.page.getByRole("menuitem", { name: "Run all below" })).press("ArrowDown");
      await focused(lab.page.getByRole("menuitem", { name: "Duplicate" })).press("Enter");
      await cell("new").getByText("draft saved, not run").waitFor();
      await choose(cell("new"), "More", "Delete");
      await cell("new").waitFor({ state: "detached" });
    });

    it("deletes a cell, and restores it with a button", async () => {
      await choose(cell("two"), "More", "Delete");
      await two().waitFor({ state: "detached" });
      await focused(restoreButtons()).press("Enter");
      await two().waitFor();
      await focused(cell("two")).waitFor();
    });

    it("folds the output of a cell, and shows it", async () => {
      await choose(cell("two"), "More", "Fold output");
      await two().waitFor({ state: "hidden" });
      await cell("two").getByText("output folded").waitFor();
      await choose(cell("two"), "More", "Show output");
      await two().waitFor();
    });
  });

  it("are reverted one by one", async () => {
    await cell("run").getByRole("button", { name: "Revert" }).click();
    await lab.page.getByText('"ends at 33"').waitFor({ state: "detached" });
    await lab.untilStep((step) => step === 20);
    assert.match(
      await cell("run").getByRole("textbox").innerText(),
      /^const run = train\(\{\n +engine, image, start: /,
    );
  });

  it("of the page are deleted and restored, and all run again on request", async () => {
    const before = await lab.page.evaluate(() => performance.now());
    await choose(cell("two"), "More", "Duplicate");
    await cell("new").getByText("draft saved, not run").waitFor();
    await choose(cell("new"), "More", "Delete");
    await choose(cell("snapshot, metrics, render, inspection, parameters, gradients"), "More", "Delete");
    await lab.page.getByText("RuntimeError: snapshot is not defined").first().waitFor();
    await lab.page.getByRole("button", { name: "Restore cell" }).last().click();
    await lab.page.getByText("RuntimeError: snapshot is not defined").first().waitFor({ state: "detached" });
    await lab.page.evaluate(() =>
      Object.assign(globalThis, { bar: document.querySelector('[aria-label="The cells of this page"]') }),
    );
    await type(cell("two"), 'const two = mine;\ndisplay("run at " + performance.now());');
    await lab.page.getByRole("button", { name: "Run all" }).click();
    const text = await lab.page.getByText(/^"run at \d/).innerText();
    assert.ok(Number(/\d+/.exec(text)![0]) > before);
    await lab.page.getByRole("button", { name: "Run all" }).click();
    await until(
      () => lab.page.getByText(/^"run at \d/).innerText(),
      (now) => now !== text,
      "the cell's value",
    );
    assert.equal(await lab.page.evaluate(() => (globalThis as { bar?: Element }).bar?.isConnected), true);
    lab.watched.complaints.splice(0);
    // The settings are new.
    await lab.page.getByText("All other settings").click();
    for (const name of ["two", "mine"]) await choose(cell(name), "More", "Delete");
  });

  it("can be added in JavaScript, TypeScript and Markdown, wait for each other, and follow the page", async () => {
    await add("run", "Markdown", `The last step is **\${twice / 2}** of \${options.steps}.`);
    await lab.page.getByText("twice is not defined.").waitFor();
    await add("run", "TypeScript", "const twice: number = 2 * (run.until as number);");
    await lab.page.getByText("The last step is 20 of 20.").waitFor();
    await lab.turn("Steps", 24);
    await lab.page.getByText("The last step is 24 of 24.").waitFor();
    await add(
      "twice",
      "JavaScript",
      'import * as Plot from "@observablehq/plot";\nimport {counted as countThings} from "./components/page/format.js";\ndisplay(Plot.plot({ariaLabel: countThings(twice, "thing"), marks: [Plot.dot([[1, 2]])]}));',
    );
    await lab.page.getByLabel("48 things").waitFor();
  });

  it("draw the blobs with one line of Plot, which follows the training", async () => {
    await add(
      "run",
      "JavaScript",
      'Plot.dot(parameters, {x: "center_x_decoded", y: "center_y_decoded"}).plot({y: {reverse: true}, ariaLabel: "blobs"})',
    );
    const dots = lab.page.getByLabel("blobs", { exact: true }).locator("circle");
    await dots.nth(19).waitFor();
    const positions = () => dots.evaluateAll((all) => all.map((dot) => dot.getAttribute("cx")).join());
    const before = await positions();
    await lab.button("Continue").click();
    await until(positions, (now) => now !== before, "the positions of the blobs");
  });

  it("that throw show their error in place, while the run continues to its end", async () => {
    await add("run", "JavaScript", 'if (snapshot.step > 1) throw new Error("of mine at a step");');
    await lab.turn("Steps", 26);
    await lab.page.getByText("of mine at a step").first().waitFor();
    await lab.untilStep((step) => step === 26);
    await lab.reaches("Done");
    lab.watched.complaints.splice(0);
    await lab.page.getByText("of mine at a step").first().waitFor();
    await lab.turn("Steps", 24);
    await lab.untilStep((step) => step === 24);
    for (const text of ["of mine", "Plot.dot(parameters"]) {
      const mine = lab.page.getByRole("group", { name: /^Cell/ }).filter({ hasText: text });
      await choose(mine, "More", "Delete");
    }
  });

  it("of prose are edited as Markdown with live values, and reject forbidden attributes", async () => {
    const prose = lab.page.getByRole("group", { name: /^Cell At step/ });
    assert.equal(await prose.isVisible(), false, "only listed cells have tools at first");
    await lab.page.getByRole("button", { name: /^Show all \d+ cells$/ }).click();
    const paragraphs = lab.page.getByRole("paragraph");
    own = await paragraphs.getByText(/^At step/).innerText();
    await type(prose, `## Of mine\n\nThe step is *\${snapshot.step}*.`);
    await runs(prose);
    await lab.page.getByText("The step is 24.").waitFor();
    assert.equal(await paragraphs.getByText(/^At step/).count(), 0);
    await lab.turn("Steps", 20);
    await lab.page.getByText("The step is 20.").waitFor();
    await lab.turn("Steps", 24);
    await type(prose, '<b onclick="alert()">No</b>');
    await runs(prose);
    const refused = "Text that becomes part of this page must not contain the attribute onclick.";
    await prose.getByText(`${refused} The previous version stays in use.`).waitFor();
    await lab.page.getByText("The step is 24.").waitFor();
    await type(prose, `## Of mine\n\nThe step is *\${snapshot.step}*.`);
    await runs(prose);
    await prose.getByText(refused).waitFor({ state: "detached" });
    await status().getByText("1 cell changed, 3 added, saved in this browser.").waitFor();
  });

  it("keep text that has not run as drafts, which a reload offers and does not run", async () => {
    await type(cell("run"), `${runOf("")}\n// a draft`);
    await status().getByText("1 draft, kept in this browser, not run.").waitFor();
    await reload();
    await question().waitFor();
    await status().getByText("1 draft, kept in this browser, not run.").waitFor();
    assert.doesNotMatch(await question().innerText(), /a draft/);
    await accept();
    await lab.page.getByRole("button", { name: "Edit the cells" }).click();
    await cell("run").getByText("draft saved, not run").waitFor();
    assert.match(await cell("run").getByRole("textbox").innerText(), /a draft/);
    await cell("run").getByRole("button", { name: "Discard draft" }).click();
    await status().getByText("1 draft").waitFor({ state: "detached" });
    await lab.page.getByRole("button", { name: "Done editing" }).click();
  });

  it("are saved, run after a reload when the reader accepts, and are part of a downloaded page", async () => {
    await reload();
    await question()
      .getByText("This browser has saved edits of this page: 1 cell changed, 3 added. None of them has run.")
      .waitFor();
    assert.match(await question().innerText(), /At step.*Of mine.*twice: number = .*Plot\.dot.*The last step is /s);
    await lab.reaches("Done");
    assert.equal(await lab.page.getByRole("heading", { name: "Of mine" }).count(), 0);
    assert.equal(await lab.page.getByText("The last step is 24 of 24.").count(), 0);
    assert.equal(await lab.page.getByLabel("48 things").count(), 0);
    await accept();
    await lab.page.getByText("The last step is 24 of 24.").waitFor();
    await lab.page.getByLabel("48 things").waitFor();
    await lab.page.getByRole("heading", { name: "Of mine" }).waitFor();
    await status().getByText("1 cell changed, 3 added, saved in this browser.").waitFor();
    const download = await downloaded();
    assert.equal(download.suggestedFilename(), "index.md");
    const page = String(await readDownload(download));
    const markdown = await readFile("src/index.md", "utf8");
    const sources = cellsOf(page).map(({ source }) => source);
    const at = sources.findIndex((source) => source.startsWith("const run = train("));
    assert.equal(sources[at + 1], "const twice: number = 2 * (run.until as number);");
    assert.equal(sources.length, cellsOf(markdown).length + 2, "Markdown joins the prose below it");
    assert.ok(sources.includes(`## Of mine\n\nThe step is *\${snapshot.step}*.`));
    assert.match(page, /^The last step is \*\*\$\{twice \/ 2\}\*\* of \$\{options\.steps\}\.$/m);
  });

  it("are in the downloaded page, which opens with the same edits when the reader accepts", async () => {
    await lab.page.getByRole("button", { name: "Edit the cells" }).click();
    const buffer = await readDownload(await downloaded());
    await lab.page.getByRole("button", { name: "Revert all" }).click();
    await lab.page.getByRole("heading", { name: "Of mine" }).waitFor({ state: "detached" });
    const open = async (name: string) => {
      const choosing = lab.page.waitForEvent("filechooser");
      await lab.page.getByRole("button", { name: "Open a file" }).click();
      await (await choosing).setFiles({ name, mimeType: "", buffer });
    };
    await open("index.ipynb");
    await lab.page.getByText("index.ipynb is not a page: it must be a Markdown file (.md) with cells.").waitFor();
    await open("index.md");
    // Markdown joins the prose below it.
    await question()
      .getByText(/index\.md contains cells: \d cells? changed, \d added\. None of them has run\./)
      .waitFor();
    assert.equal(await lab.page.getByRole("heading", { name: "Of mine" }).count(), 0);
    await accept();
    await lab.page.getByRole("heading", { name: "Of mine" }).waitFor();
    await lab.page.getByText("The last step is 24 of 24.").waitFor();
    await lab.page.getByRole("button", { name: "Done editing" }).click();
  });

  it("are all reverted, and the page is as before", async () => {
    await lab.page.getByRole("button", { name: "Revert all" }).click();
    await lab.page.getByRole("heading", { name: "Of mine" }).waitFor({ state: "detached" });
    await lab.page.getByRole("paragraph").getByText(own, { exact: true }).waitFor();
    await lab.page.reload();
    await lab.reaches("Done");
    assert.equal(await status().innerText(), "");
  });

  describe("in a link", () => {
    /** Returns edits that hide more code behind spaces. */
    const asLink = (text: string, more: string) => ({
      edits: { [id]: runOf("steps: 7") },
      added: [
        { id: "added-1", after: id, language: "js" as const, source: `display("${text}");${" ".repeat(4000)}${more}` },
      ],
    });
    let id: string;
    let link: string;
    const shows = (text: string) => lab.page.getByText(`"${text}"`, { exact: true });
    const has = (name: string) => lab.page.evaluate((name) => name in window, name);

    it("are listed in full, do not change during the question, and cannot be accepted at once", async () => {
      id = await lab.page.evaluate(() => {
        const blocks = [...document.querySelectorAll(".observablehq--block")];
        const training = blocks.find((block) => block.nextElementSibling?.textContent?.includes("const run = train("));
        const [mark] = [...training!.childNodes].filter((node) => node instanceof Comment);
        return mark.data.slice(1, -1);
      });
      await lab.page.getByRole("button", { name: "Edit the cells" }).click();
      await add("run", "JavaScript", 'display("my own");');
      await status().getByText("1 added, saved in this browser.").waitFor();
      const [first, second] = ["from a link", "from another"].map((text) =>
        editsToHash(asLink(text, "window.hasRun = true; // \u202e\u3164\u3164")),
      );
      const early = await lab.page.evaluate(
        async ([first, second]) => {
          const change = (hash: string) =>
            new Promise((done) => {
              addEventListener("hashchange", done, { once: true });
              location.assign(hash);
            });
          await change(first);
          const [button] = document.querySelectorAll<HTMLElement>('[aria-label="Cells that have not run"] button');
          button.click();
          await change(second);
          await change("#");
          return { isAsked: button.isConnected, url: location.href };
        },
        [first, second],
      );
      assert.deepEqual([early.isAsked, early.url.includes("#cells")], [true, false]);
      const text = await question().innerText();
      assert.match(text, /This link contains cells: 1 cell changed, 1 added\. None of them has run\./);
      assert.match(text, /start: continuation.*steps: 7.*from a link.*hasRun/s);
      const widths = await question()
        .getByRole("textbox")
        .locator("..")
        .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
      assert.deepEqual(widths, [0, 0]);
      assert.match(text, /contain 3 characters that would be invisible .* as code points: U\+202E, U\+3164\./);
      assert.match(text, /hasRun = true; \/\/ U\+202EU\+3164U\+3164/);
      const directions = await question()
        .locator(".cm-line")
        .evaluateAll((all) => all.map((line) => getComputedStyle(line)).map((s) => `${s.direction} ${s.unicodeBidi}`));
      assert.deepEqual([...new Set(directions)], ["ltr bidi-override"]);
      const armed = question().locator('button[aria-disabled="false"]');
      await bringIntoView(question().getByRole("button", { name: "Run cells" }));
      await armed.waitFor();
      // A reader who clicks or types without a pause has not read the question.
      const pressed = await armed.evaluate(async (button) => {
        const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
        const press = (name: string) => button.dispatchEvent(new Event(name, { bubbles: true }));
        const states: (string | null)[] = [];
        const look = () => states.push(button.getAttribute("aria-disabled"));
        dispatchEvent(new Event("resize"));
        press("pointerdown");
        await wait(1100);
        look();
        press("pointerup");
        for (const name of ["click", "keydown"]) {
          for (let i = 0; i < 10; i++) {
            await wait(120);
            press(name);
          }
          look();
        }
        return states;
      });
      assert.deepEqual(pressed, ["true", "true", "true"]);
      await armed.waitFor();
      const disarmed = await armed.evaluate((button) => {
        dispatchEvent(new Event("resize"));
        (button as HTMLElement).click();
        return button.getAttribute("aria-disabled");
      });
      assert.deepEqual([disarmed, await has("hasRun"), await lab.step()], ["true", false, 24]);
      await accept();
      await lab.untilStep((step) => step === 7);
      await shows("from a link").waitFor();
      await status().getByText("1 cell changed, 1 added, for this visit.").waitFor();
      assert.equal(new URL(lab.page.url()).hash, first);
    });

    it("last for the visit, and the reader's own stay saved", async () => {
      assert.equal(await has("hasRun"), true);
      assert.equal(await shows("my own").count(), 0);
      await reload();
      await question().getByRole("button", { name: "Ignore cells" }).click();
      await question().getByText("This browser has saved edits of this page: 1 added.").waitFor();
      assert.equal(await has("hasRun"), false);
      await accept();
      await shows("my own").waitFor();
      assert.doesNotMatch(lab.page.url(), /#cells/);
    });

    it("are saved on request, and cannot run cells that they store for other pages", async () => {
      const left = {
        edits: {},
        added: [{ id: "added-2", after: "", language: "js", source: "window.hasRun = true;" }],
      };
      const leaves = `globalThis.localStorage?.setItem("splatbook cells /docs/speed", ${JSON.stringify(JSON.stringify(left))});`;
      await lab.page.evaluate((hash) => location.assign(hash), editsToHash(asLink("to keep", leaves)));
      await question().getByText("Your own edits stay saved").waitFor();
      await accept();
      await shows("to keep").waitFor();
      await lab.page.getByRole("button", { name: "Replace my edits" }).click();
      await status().getByText("1 cell changed, 1 added, saved in this browser.").waitFor();
      await lab.page.evaluate(() => {
        navigator.clipboard.writeText = async (text) => void document.body.setAttribute("data-copied", text);
      });
      await lab.page.getByRole("button", { name: "Copy a link" }).click();
      await lab.page.locator("body[data-copied]").waitFor();
      link = (await lab.page.locator("body").getAttribute("data-copied"))!;
      await lab.page.goto("/docs/speed");
      await question().getByText("This browser has saved edits of this page: 1 added. None of them has run.").waitFor();
      assert.equal(await has("hasRun"), false);
      await lab.page.goto(`/${job}`);
      await question().getByText("This browser has saved edits of this page: 1 cell changed, 1 added.").waitFor();
      await question().getByRole("button", { name: "Delete edits" }).click();
      await lab.page.getByRole("button", { name: "Restore my edits" }).click();
      assert.match(await question().innerText(), /to keep/);
      await question().getByRole("button", { name: "Delete edits" }).click();
      await lab.page.goto(`/${job}#cells=damaged`);
      await lab.page.getByText("The cells in this link are damaged").waitFor();
    });

    it("run from a link even without storage, which the page reports", async () => {
      const closed = "delete window.localStorage;";
      const { page } = await openPage(link, { webgpu: false, script: closed });
      await page.getByText("This link contains cells: 1 cell changed, 1 added.").waitFor();
      await accept(page);
      await page.getByText('"to keep"', { exact: true }).waitFor();
      await page.getByRole("button", { name: "Save edits" }).click();
      await page.getByText("1 cell changed, 1 added, not saved in this browser.").waitFor();
      await page.context().close();
    });

    it("are not asked about in a frame", async () => {
      const { page } = await openPage("/_import/modules.json", { webgpu: false });
      // A host that sends no headers lets its pages be framed.
      await page.route(/\/(outside|speed)$/, async (route) => {
        const isOutside = route.request().url().endsWith("outside");
        const body = isOutside ? frame : await (await route.fetch()).text();
        await route.fulfill({ contentType: "text/html; charset=utf-8", body });
      });
      const frame = `<iframe width="1000" height="800" src="/docs/speed${new URL(link).hash}"></iframe>`;
      await page.goto("/outside");
      const inside = page.frameLocator("iframe");
      await inside.getByText("Edited cells do not run in a page inside a frame.").waitFor();
      assert.equal(await inside.getByRole("button", { name: "Run cells" }).count(), 0);
      await page.context().close();
    });
  });

  it("leave the console clean, and request only their own origin", () => {
    assert.deepEqual([lab.watched.complaints, lab.watched.foreignRequests], [[], []]);
  });
});
