import assert from "node:assert/strict";
import type MarkdownIt from "markdown-it";
import { describe, it } from "vitest";
import { cellRule } from "../../../src/components/page/cellRule.js";

/** Returns the height that the page reserves for a cell. */
function heightOf(content: string): string | undefined {
  const fence = () => '<div class="observablehq observablehq--block"><!--:1:--></div><pre></pre>';
  const rules = { fence };
  cellRule({ renderer: { rules } } as unknown as MarkdownIt);
  const render = rules.fence as unknown as (tokens: { info: string; content: string }[], index: number) => string;
  const [, style] = /<observablehq-loading(?: style="height: (.*?)")?>/.exec(
    render([{ info: "js echo", content }], 0),
  )!;
  return style;
}

describe("a cell that has not run", () => {
  it("is as high as its chart, its table, its stepper or its inputs", () => {
    assert.equal(heightOf("display(Plot.plot({width: full, height: 230, marks: []}));"), "230px");
    assert.equal(heightOf("display(Plot.plot({height: isPhone ? 470 : 236, marks: []}));"), "236px");
    assert.equal(heightOf("display(Inputs.table(rows, {rows: 10, select: false}));"), "242px");
    assert.equal(heightOf('const step = view(stepper("Step", {count: 3}));'), "110px");
    assert.equal(
      heightOf("const a = view(Inputs.range());\nconst b = view(Inputs.toggle());"),
      "calc(2 * var(--input-height))",
    );
    assert.equal(heightOf("display(figure(half * 14 / 24));"), undefined);
  });
});
