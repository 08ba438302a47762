import type { AddedCell, PageEdits } from "./pageEdits.js";

/**
 * Returns a page's Markdown with edits.
 * @param ids the page's cells by their source
 */
export function writePage(markdown: string, ids: ReadonlyMap<string, string>, { edits, added }: PageEdits): string {
  const left = new Set(added);
  const fences = (isHere: (cell: AddedCell) => boolean) =>
    added.filter((cell) => isHere(cell) && left.delete(cell)).map(fenceOf);
  const page = markdown.replace(/^(`{3,})([^\n]*)\n(.*?)\n\1$/gms, (fence, ticks, info, source) => {
    const id = ids.get(source);
    if (id === undefined) return fence;
    const edited = `${ticks}${id in edits ? info.replace(/^js/, "ts") : info}\n${edits[id] ?? source}\n${ticks}`;
    return [...fences(({ before }) => before === id), edited, ...fences(({ after }) => after === id)].join("\n\n");
  });
  return `${[page.trimEnd(), ...fences(() => true)].join("\n\n")}\n`;
}

/** Returns a cell in TypeScript, which JavaScript is too. */
function fenceOf({ source }: AddedCell): string {
  const ticks = source.includes("```") ? "````" : "```";
  return `${ticks}ts\n${source}\n${ticks}`;
}
