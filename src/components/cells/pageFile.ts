import type { PageEdits } from "./pageEdits.js";

/**
 * Returns a page's Markdown with edits.
 * @param originals the sources of the page's cells by id
 */
export function writePage(
  markdown: string,
  originals: ReadonlyMap<string, string>,
  { edits, added }: PageEdits,
): string {
  const sources = new Map(originals);
  const fenceAt = (text: string, id: string) => {
    const start = text.indexOf(`\n${sources.get(id)}\n\`\`\``) + 1;
    return start === 0 ? undefined : { start, end: start + sources.get(id)!.length };
  };
  let text = markdown;
  for (const { id, after, before = "", language, source } of added) {
    sources.set(id, source);
    const ticks = source.includes("```") ? "````" : "```";
    const fence = `${ticks}${language}\n${source}\n${ticks}`;
    const [above, below] = [fenceAt(text, after), fenceAt(text, before)];
    if (above) {
      const end = /\n`+/.exec(text.slice(above.end))![0].length + above.end;
      text = `${text.slice(0, end)}\n\n${fence}${text.slice(end)}`;
    } else if (below) {
      const start = text.lastIndexOf("\n```", below.start) + 1;
      text = `${text.slice(0, start)}${fence}\n\n${text.slice(start)}`;
    } else text = `${text.trimEnd()}\n\n${fence}\n`;
  }
  for (const [id, source] of Object.entries(edits)) {
    const fence = fenceAt(text, id);
    if (fence) text = text.slice(0, fence.start) + source + text.slice(fence.end);
  }
  return text;
}
