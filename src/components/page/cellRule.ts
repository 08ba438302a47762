import type MarkdownIt from "markdown-it";

/** Matches a cell with an unconditional `display` or `view` at the start of a line. */
const displayCall = /^(?:const \w+ = )?(?:await )?(?:display|view)\(/m;

/**
 * Lists the code of every cell but that of "Show code": in the corner of its card if its fence is marked `fold`, and with
 * "Show code" alone if it is not marked `echo`. A cell that displays something has an indicator until then, as high as what
 * it displays: by its code, or by a mark such as `height=120`, or `height=120,200` if it is higher on a phone. Its block
 * and its listing name the cell.
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
    if (displayCall.test(content)) html = html.replace("<!--:", `${loadingOf(info, content)}<!--:`);
    if (isFolded) html = html.replace(/<pre.*/s, (code) => `<details class="code">${summary}\n${code}</details>\n`);
    if (isHidden) {
      const listing = `<div class="observablehq-pre-container" data-language="${info.slice(0, 2)}" data-cell="${id}">`;
      html = html.replace(/<pre.*/s, (code) => `<template class="hidden-code">${listing}${code}</div></template>\n`);
    }
    return html;
  };
}

/** Returns the indicator of a cell, of the height of its mark, or that its code gives its charts, its table or its inputs. */
function loadingOf(info: string, content: string): string {
  if (content.includes("display(liveCells(")) return '<observablehq-loading class="live-cells"></observablehq-loading>';
  const [, height, phone = height] = /\bheight=(\d+)(?:,(\d+))?/.exec(info) ?? [];
  const style = height ? heights(Number(height), Number(phone)) : styleOf(content);
  return `<observablehq-loading${style && ` style="${style}"`}></observablehq-loading>`;
}

function styleOf(content: string): string {
  const inputs = heightOfInputs(content);
  // Images of chapters and of the lab are squares, below the inputs of their cell.
  const [picker, width = "1", height = "1"] =
    /(?:gridPicker\((?:.*\{width: (\d+), height: (\d+),)?|= (?:view\(editor|await tilePicker\()|class="grid-image")/.exec(
      content,
    ) ?? [];
  if (picker) return `aspect-ratio: ${width} / ${height}${inputs && `; padding-top: ${inputs}`}`;
  // Of two heights, such as `isPhone ? 470 : 236`, the first is that of a phone.
  const charts = content
    .split(/^(?=display\()/m)
    .map((part) => /\bheight: (?:[^,?\n]+ \? (\d+) : )?(\d+)[,}]/.exec(part))
    .filter((match) => match !== null);
  const sum = (numbers: (string | undefined)[]) => numbers.reduce((total, number) => total + Number(number), 0);
  if (charts.length > 0)
    return heights(sum(charts.map(([, , large]) => large)), sum(charts.map(([, phone, large]) => phone ?? large)));
  const [, rows] = /\bInputs\.table\(.*\brows: (\d+)/s.exec(content) ?? [];
  if (rows) return heights(23 * (Number(rows) + 1));
  if (content.includes("= view(stepper(")) return heights(82, 126);
  return inputs && `--height: ${inputs}`;
}

function heights(large: number, phone = large): string {
  return `--height: ${large}px${phone === large ? "" : `; --phone: ${phone}px`}`;
}

/** Returns the height of a cell's inputs. On a phone, choices need less than inputs below their names. */
function heightOfInputs(content: string): string {
  const choices = content.match(/\b(?:view|display)\(Inputs\.(?:radio|checkbox|toggle|button)\(/g)?.length ?? 0;
  const others =
    content.match(/\bview\((?:Inputs\.(?!radio|checkbox|toggle|button)|settings\.knob\(|sideSelect\(|\w+Input\()/g)
      ?.length ?? 0;
  const gaps = choices + others - 1;
  const terms = [
    others && `${others} * var(--input-height)`,
    choices && `${choices} * var(--choice-height)`,
    gaps > 0 && `${gaps} * var(--input-gap)`,
  ];
  return gaps >= 0 ? `calc(${terms.filter(Boolean).join(" + ")})` : "";
}

const summary = "<summary>Code</summary>";
