import assert from "node:assert/strict";
import type MarkdownIt from "markdown-it";
import { describe, it } from "vitest";
import { cellRule } from "../../../src/components/page/cellRule.js";

/** Returns the attributes of the indicator of a cell. */
function indicatorOf(content: string, marks = "echo"): string {
  const fence = () => '<div class="observablehq observablehq--block"><!--:1:--></div><pre></pre>';
  const rules = { fence };
  cellRule({ renderer: { rules } } as unknown as MarkdownIt);
  const render = rules.fence as unknown as (tokens: { info: string; content: string }[], index: number) => string;
  return /<observablehq-loading ?(.*?)>/.exec(render([{ info: `js ${marks}`, content }], 0))![1]!;
}

describe("a cell that has not run", () => {
  it("is as high as its charts", () => {
    assert.equal(indicatorOf("display(Plot.plot({width: full, height: 230, marks: []}));"), 'style="--height: 230px"');
    assert.equal(
      indicatorOf("display(Plot.plot({height: 190}));\ndisplay(Plot.plot({height: 72, margin: 2}));"),
      'style="--height: 262px"',
    );
    assert.equal(
      indicatorOf("display(Plot.plot({height: isPhone ? 470 : 236, marks: []}));"),
      'style="--height: 236px; --phone: 470px"',
    );
    assert.equal(indicatorOf("display(figure(half * 14 / 24));"), "");
  });

  it("is as high as its table, its stepper or its inputs", () => {
    assert.equal(indicatorOf("display(Inputs.table(rows, {rows: 10, select: false}));"), 'style="--height: 253px"');
    assert.equal(indicatorOf('const i = view(stepper("Step", {count: 3}));'), 'style="--height: 82px; --phone: 126px"');
    assert.equal(
      indicatorOf("const a = view(Inputs.range());\nconst b = view(Inputs.toggle());"),
      'style="--height: calc(1 * var(--input-height) + 1 * var(--choice-height) + 1 * var(--input-gap))"',
    );
    assert.equal(
      indicatorOf('const field = view(fieldInput("Rows"));'),
      'style="--height: calc(1 * var(--input-height))"',
    );
  });

  it("is as high as its picker", () => {
    assert.equal(
      indicatorOf(
        "const place = gridPicker(html`<canvas>`, {width: 24, height: 14, cell});\nconst spot = view(place);",
      ),
      'style="aspect-ratio: 24 / 14"',
    );
    assert.equal(
      indicatorOf("const tiles = await tilePicker(run);\nconst chosen = view(tiles);"),
      'style="aspect-ratio: 1 / 1"',
    );
  });

  it("is as high as its mark says", () => {
    assert.equal(indicatorOf("display(settingsList(run));", "height=157"), 'style="--height: 157px"');
    assert.equal(indicatorOf("display(figure());", "echo height=284,502"), 'style="--height: 284px; --phone: 502px"');
  });

  it("has the switch of live cells in its place", () => {
    assert.equal(indicatorOf("display(liveCells());"), 'class="live-cells"');
  });
});
