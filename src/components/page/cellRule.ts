import type MarkdownIt from "markdown-it";

/** Matches a cell with an unconditional `display` or `view` at the start of a line. */
const displayCall = /^(?:const \w+ = )?(?:await )?(?:display|view)\(/m;

/**
 * Lists the code of every cell but that of "Show code": in the corner of its card if its fence is marked `fold`, and with
 * "Show code" alone if it is not marked `echo`. A cell that displays something has an indicator until then, as high as what
 * it displays. Its block and its listing name the cell.
 */
export function cellRule({ renderer: { rules } }: MarkdownIt): void {
  const fence = rules.fence!;
  rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    // Rendering changes the token.
    const { info, content } = token;
    const isCell = /^[jt]s\b/.test(info) && !info.includes("run=false");
    const isFolded = /\bfold\b/.test(info);
    const isHidden = isCell && !/\becho\b/.test(info) && !/\bliveCells\(/.test(content);
    if (isHidden) token.info = `${info} echo`;
    let html = fence(tokens, index, ...rest);
    const [, id] = /<!--:(.+):-->/.exec(html) ?? [];
    if (id) html = html.replace('block">', `block" id="cell-${id}">`).replace("<pre", `<pre data-cell="${id}"`);
    if (displayCall.test(content)) html = html.replace("<!--:", `${loadingOf(content)}<!--:`);
    if (isFolded) html = html.replace(/<pre.*/s, (code) => `<details class="code">${summary}\n${code}</details>\n`);
    if (isHidden) {
      const listing = `<div class="observablehq-pre-container" data-language="${info.slice(0, 2)}" data-cell="${id}">`;
      html = html.replace(/<pre.*/s, (code) => `<template class="hidden-code">${listing}${code}</div></template>\n`);
    }
    return html;
  };
}

/** Returns the indicator of a cell, of the height that the code gives its chart, its table or its inputs. */
function loadingOf(content: string): string {
  const height = heightOf(content);
  // Images of chapters are squares.
  const isSquare = /= view\((?:editor|gridPicker\(imageCanvas)|class="grid-image"/.test(content);
  const style = isSquare ? "aspect-ratio: 1" : height && `height: ${height}`;
  return `<observablehq-loading${style && ` style="${style}"`}></observablehq-loading>`;
}

function heightOf(content: string): string {
  // Of two heights, such as `isPhone ? 470 : 236`, that of a large window.
  const [, height] = /\bheight: (?:[^,?\n]+ \? \d+ : )?(\d+)[,}]/.exec(content) ?? [];
  if (height) return `${height}px`;
  const [, rows] = /\bInputs\.table\(.*\brows: (\d+)/s.exec(content) ?? [];
  if (rows) return `${22 * (Number(rows) + 1)}px`;
  if (content.includes("= view(stepper(")) return "110px";
  const inputs = content.match(/\bview\(Inputs\.|\bview\(settings\.knob\(/g)?.length;
  return inputs ? `calc(${inputs} * var(--input-height))` : "";
}

const summary = "<summary>Code</summary>";
