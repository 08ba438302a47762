import assert from "node:assert/strict";
import MarkdownIt from "markdown-it";
import { describe, it } from "vitest";
import { mathRule } from "../../../src/components/page/mathRule.js";

const markdown = MarkdownIt();
mathRule(markdown, (tex, display) => `<${display ? "block" : "inline"}:${tex.trim()}>`);

describe("mathRule", () => {
  it("finds formulas in a line", () => {
    assert.equal(
      markdown.render("So $a_1*b_1*c$ and $\\frac{1}{2}$."),
      "<p>So <inline:a_1*b_1*c> and <inline:\\frac{1}{2}>.</p>\n",
    );
  });

  it("leaves other dollar signs and code alone", () => {
    const text = "It costs 5 $ or 6 $ but `$x$` or $ {y}.";
    assert.equal(markdown.render(text), "<p>It costs 5 $ or 6 $ but <code>$x$</code> or $ {y}.</p>\n");
  });
});
