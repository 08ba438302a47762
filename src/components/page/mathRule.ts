import type MarkdownIt from "markdown-it";

/** Options of temml. \\data links parts of a formula to lines of code (src/components/figures/pointing.ts). */
export const formulaOptions = { trust: ({ command }: { command: string }) => command === "\\data" };

/** Adds formulas to Markdown: TeX between single dollar signs in a line, or between double ones on their own lines. */
export function mathRule(markdown: MarkdownIt, render: (tex: string, display: boolean) => string): void {
  markdown.inline.ruler.after("escape", "formula", (state, silent) => {
    const match = /^\$(?![{\s$])((?:\\.|[^$\\])*?[^\s\\])\$(?!\d)/.exec(state.src.slice(state.pos));
    if (!match) return false;
    if (!silent) state.push("formula", "math", 0).content = match[1];
    state.pos += match[0].length;
    return true;
  });
  markdown.block.ruler.before("fence", "formula block", (state, startLine, endLine, silent) => {
    const line = (at: number) => state.src.slice(state.bMarks[at] + state.tShift[at], state.eMarks[at]).trim();
    if (line(startLine) !== "$$") return false;
    let end = startLine + 1;
    while (end < endLine && line(end) !== "$$") end++;
    if (end === endLine) return false;
    if (silent) return true;
    const tex = state.getLines(startLine + 1, end, state.blkIndent, false);
    const token = state.push("formula_block", "math", 0);
    token.content = tex;
    token.map = [startLine, end + 1];
    state.line = end + 1;
    return true;
  });
  markdown.renderer.rules.formula = (tokens, index) => {
    const formula = render(tokens[index].content, false);
    const next = tokens[index + 1];
    const [mark] = (next?.type === "text" && /^[,.;:?!)]+/.exec(next.content)) || [];
    if (mark === undefined) return formula;
    // A browser would break the line before the mark.
    next.content = next.content.slice(mark.length);
    return `<span style="white-space: nowrap">${formula}${mark}</span>`;
  };
  markdown.renderer.rules.formula_block = (tokens, index) =>
    `<div class="formula" tabindex="0">${render(tokens[index].content, true)}</div>\n`;
}
