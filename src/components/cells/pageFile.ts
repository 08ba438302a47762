import type { AddedCell, PageEdits } from "./pageEdits.js";

/**
 * Returns a page's Markdown with edits.
 * @param originals the sources of the page's cells by id
 */
export function writePage(
  markdown: string,
  originals: ReadonlyMap<string, string>,
  { edits, added }: PageEdits,
): string {
  const ids = new Map([...originals].map(([id, source]) => [source, id]));
  const left = new Set(added);
  const fencesAt = (side: "before" | "after", id: string) =>
    added.filter((cell) => cell[side] === id && left.delete(cell)).map(fenceOf);
  const page = markdown.replace(/^(`{3,})([^\n]*)\n(.*?)\n\1$/gms, (fence, ticks, info, source) => {
    const id = ids.get(source);
    if (id === undefined) return fence;
    const edited = `${ticks}${info}\n${edits[id] ?? source}\n${ticks}`;
    return [...fencesAt("before", id), edited, ...fencesAt("after", id)].join("\n\n");
  });
  return `${[page.trimEnd(), ...[...left].map(fenceOf)].join("\n\n")}\n`;
}

function fenceOf({ language, source }: AddedCell): string {
  const ticks = source.includes("```") ? "````" : "```";
  return `${ticks}${language}\n${source}\n${ticks}`;
}
