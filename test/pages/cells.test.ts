import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Locator } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { editsToHash } from "../../src/components/cells/pageEdits.js";
import { cellsOf } from "../../src/components/cells/pageSource.js";
import { readDownload } from "../support/pages.js";
import { LabPage } from "./labPage.js";

const job = "?blobs=20&steps=20&size=32&engine=cpu";

describe("the cells of a published page", () => {
  let lab: LabPage;
  beforeAll(async () => {
    lab = await LabPage.open(job);
    await lab.page.getByRole("button", { name: "Edit the cells" }).click();
  });

  const cell = (name: string) => lab.page.getByRole("group", { name: `Cell ${name}`, exact: true });
  const state = () => lab.page.locator(".live-cells-state");
  /** Opens a cell's editor and types a source in place of what is there. */
  const type = async (tools: Locator, source: string) => {
    const text = tools.locator(".cm-content");
    if (!(await text.isVisible())) await tools.getByRole("button", { name: "Edit" }).click();
    await text.fill(source);
  };
  const runs = (tools: Locator) => tools.locator(".cm-content").press("Control+Enter");
  const add = async (below: string, language: string, source: string) => {
    await cell(below).getByLabel("Add a cell below").selectOption(language);
    const text = lab.page.locator(".cm-content:focus");
    await text.and(lab.page.getByLabel("the new cell")).fill(source);
    await text.press("Control+Enter");
  };

  it("run anew when they are edited, and drive the cells that use them", async () => {
    await lab.reaches("done");
    await type(
      cell("run"),
      `const run = lab.start({...config, steps: 33}, picture);\ndisplay(\`ends at \${run.until}\`);`,
    );
    await runs(cell("run"));
    await lab.page.getByText('"ends at 33"').waitFor();
    await lab.untilStep((step) => step === 33);
    await state().getByText("1 cell changed, kept in this browser.").waitFor();
  });

  it("tell an error beside the cell, with its line, and leave what is in force", async () => {
    const run = cell("run");
    await type(run, "const run = lab.start(config, picture);\nconst broken = ;");
    await runs(run);
    await run.getByText("Line 2: Unexpected token. What the cell had before stays.").waitFor();
    await type(run, "\n\nconst run = undefined.start(config);");
    await runs(run);
    await run.getByText("Line 3: TypeError: Cannot read properties of undefined (reading 'start').").waitFor();
    await run.locator(".cm-lintRange-error").waitFor();
    assert.equal(await lab.step(), 33);
    await lab.page.getByText('"ends at 33"').waitFor();
    await type(run, "const run = lab.start(config, picture);\nconst lab = 1;");
    await runs(run);
    await run.getByText("Another cell of this page is called lab already.").waitFor();
  });

  it("tell what goes wrong after they ran, for as long as it is so", async () => {
    await add("run", "JavaScript", "const half = config.steps % 2 ? undefined.half : config.steps / 2;");
    await lab.turn("Steps", 21);
    await cell("half").getByText("Line 1: TypeError: Cannot read properties of undefined (reading 'half').").waitFor();
    assert.doesNotMatch(await cell("half").locator(".cell-message").innerText(), /stays/);
    await lab.turn("Steps", 20);
    await cell("half").getByText("TypeError").waitFor({ state: "detached" });
    await type(cell("half"), 'const half = config.steps / 2;\nsetTimeout(() => { throw new Error("late"); }, 200);');
    await runs(cell("half"));
    await cell("half").getByText("Line 2: late.").waitFor();
    lab.watched.complaints.splice(0);
  });

  it("need no cell that needs them, and share no name, whichever has its value first", async () => {
    await type(cell("half"), "const half = config.steps / 2;");
    await runs(cell("half"));
    await add("half", "JavaScript", "const quarter = half / 2;");
    await type(cell("half"), "const half = 2 * quarter;");
    await runs(cell("half"));
    await cell("half").getByText("This cell uses quarter, which needs what this cell declares.").waitFor();
    await type(
      cell("half"),
      "const half = await new Promise((done) => { globalThis.settle = done; });\nconst one = 1;",
    );
    await runs(cell("half"));
    await lab.page.waitForFunction(() => "settle" in globalThis);
    await add("quarter", "JavaScript", "const one = display(2);");
    await lab.page.locator(".added-cell").getByText("2", { exact: true }).waitFor();
    await lab.page.evaluate(() => (globalThis as unknown as { settle(value: number): void }).settle(10));
    await cell("half, one").getByText("Another cell of this page is called one already.").waitFor();
  });

  it("come back where they were when they were removed by mistake", async () => {
    await cell("quarter").getByRole("button", { name: "Remove" }).click();
    await cell("quarter").waitFor({ state: "detached" });
    // The keyboard stays there.
    await lab.page
      .getByRole("button", { name: "Bring back the removed cell" })
      .and(lab.page.locator(":focus"))
      .press("Enter");
    await cell("quarter").waitFor();
    assert.equal(await lab.page.locator('[aria-label="Cell quarter"] ~ [aria-label="Cell one"]').count(), 1);
    for (const name of ["quarter", "one", "half, one"])
      await cell(name).getByRole("button", { name: "Remove" }).click();
  });

  it("offer the page's own names while they are typed", async () => {
    await type(cell("run"), "const run = ");
    await cell("run").locator(".cm-content").pressSequentially("snap");
    await lab.page.locator(".cm-tooltip-autocomplete").getByText("snapshot", { exact: true }).waitFor();
    await lab.page.keyboard.press("Escape");
  });

  it("are reverted, one by one", async () => {
    await cell("run").getByRole("button", { name: "Revert" }).click();
    await lab.page.getByText('"ends at 33"').waitFor({ state: "detached" });
    await lab.untilStep((step) => step === 20);
    assert.equal(await cell("run").locator(".cm-content").innerText(), "const run = lab.start(config, picture);");
  });

  it("are added in JavaScript, TypeScript and Markdown, wait for each other, and follow the page", async () => {
    await add("run", "Markdown", `The last step is **\${twice / 2}** of \${config.steps}.`);
    const text = lab.page.locator(".markdown-cell");
    await lab.page.getByText("twice is not defined.").waitFor();
    await add("run", "TypeScript", "const twice: number = 2 * (run.until as number);");
    await text.getByText("The last step is 20 of 20.").waitFor();
    await lab.turn("Steps", 24);
    await text.getByText("The last step is 24 of 24.").waitFor();
    await add(
      "twice",
      "JavaScript",
      'import * as Plot from "@observablehq/plot";\nimport {counted} from "./components/format.js";\ndisplay(Plot.plot({ariaLabel: counted(twice, "thing"), marks: [Plot.dot([[1, 2]])]}));',
    );
    await lab.page.getByLabel("48 things").waitFor();
  });

  it("are kept over a reload, and downloaded as a page that has them", async () => {
    await lab.page.reload();
    await lab.page.locator(".markdown-cell").getByText("The last step is 24 of 24.").waitFor();
    await lab.page.getByLabel("48 things").waitFor();
    await state().getByText("3 added, kept in this browser.").waitFor();
    const downloading = lab.page.waitForEvent("download");
    await lab.page.getByRole("button", { name: "Download the page" }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), "index.md");
    const page = String(await readDownload(download));
    const own = await readFile("src/index.md", "utf8");
    const sources = cellsOf(page).map(({ source }) => source);
    const at = sources.indexOf("const run = lab.start(config, picture);");
    assert.equal(sources[at + 1], "const twice: number = 2 * (run.until as number);");
    assert.equal(sources.length, cellsOf(own).length + 2);
    assert.match(page, /^The last step is \*\*\$\{twice \/ 2\}\*\* of \$\{config\.steps\}\.$/m);
  });

  it("are taken out, all of them, and the page is as it was", async () => {
    await lab.page.getByRole("button", { name: "Revert all" }).click();
    await lab.page.locator(".markdown-cell").waitFor({ state: "detached" });
    await lab.page.reload();
    await lab.reaches("done");
    assert.equal(await state().innerText(), "");
  });

  it("come from a link as a difference, and run only when the reader says so", async () => {
    const [id] = await lab.page.evaluate(() => {
      const blocks = [...document.querySelectorAll(".observablehq--block")];
      const training = blocks.find((block) => block.nextElementSibling?.textContent?.includes("lab.start"));
      return [...training!.childNodes].flatMap((node) => (node instanceof Comment ? [node.data] : []));
    });
    const edits = {
      edits: { [id.slice(1, -1)]: "const run = lab.start({...config, steps: 7}, picture);\nwindow.hasRun = true;" },
      added: [{ id: "added-1", after: id.slice(1, -1), language: "js" as const, source: 'display("from the link");' }],
    };
    await lab.page.goto(`/${job}`);
    await lab.reaches("done");
    await lab.page.evaluate((hash) => location.assign(hash), editsToHash(edits));
    const asked = lab.page.getByRole("region", { name: "Cells that have not run" });
    await asked.getByText("This link brings cells: 1 cell changed, 1 added. None of them has run.").waitFor();
    await lab.page.goBack();
    await asked.waitFor({ state: "detached" });
    await lab.page.goForward();
    assert.match(await asked.innerText(), /lab\.start\(config, picture\).*steps: 7.*from the link/s);
    await lab.reaches("done");
    assert.equal(await lab.step(), 20);
    assert.equal(await lab.page.evaluate(() => "hasRun" in window), false);
    await asked.getByRole("button", { name: "Run them" }).click();
    await lab.untilStep((step) => step === 7);
    await lab.page.getByText('"from the link"', { exact: true }).waitFor();
    assert.doesNotMatch(lab.page.url(), /#cells/);
    await lab.page.goto(`/${job}#cells=damaged`);
    await lab.page.getByText("The cells that this link brings are damaged").waitFor();
  });

  it("do not run by themselves again when they hung the page", async () => {
    await lab.page.goto(`/quality`);
    await lab.page.evaluate(() => {
      const kept = Object.keys(localStorage).filter((key) => /^splatbook cells [^ ]*$/.test(key));
      for (const key of kept) localStorage.setItem(`${key} running`, "");
    });
    await lab.page.goto(`/${job}`);
    await lab.page.getByText("Your edited cells did not let this page go on the last time").waitFor();
    await lab.reaches("done");
    assert.equal(await lab.step(), 20);
    await lab.page.getByRole("button", { name: "Forget them" }).click();
  });

  it("run where the browser keeps nothing, and say so", async () => {
    const closed = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('closed'); } });";
    const { page } = await LabPage.open(job, { webgpu: false, script: closed });
    await page.locator('.run-bar[data-state="done"]').waitFor();
    await page.getByRole("button", { name: "Edit the cells" }).click();
    await page.getByRole("group", { name: "Cell run", exact: true }).getByLabel("Add a cell below").selectOption("js");
    await page.keyboard.type("1 + 1");
    await page.keyboard.press("Control+Enter");
    await page.locator(".added-cell").getByText("2").waitFor();
    await page.getByText("1 added, not kept in this browser.").waitFor();
    await page.context().close();
  });

  it("leave the console clean, and ask no other origin", () => {
    assert.deepEqual([lab.watched.complaints, lab.watched.foreign], [[], []]);
  });
});
