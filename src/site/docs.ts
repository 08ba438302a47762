type PageLink = readonly [path: string, name: string];

/** The pages of the documentation, in order. */
export const guides: readonly PageLink[] = [
  ["docs/index", "Overview"],
  ["docs/command-line", "Command line"],
  ["docs/library", "Library"],
  ["docs/files", "Files and columns"],
  ["docs/comparing", "Comparing runs"],
  ["docs/sweeps", "Sweeps and many machines"],
  ["docs/publishing", "Publishing"],
  ["docs/security", "Security"],
  ["docs/architecture", "Architecture"],
];

/** The pages with measurements. */
export const results: readonly PageLink[] = [
  ["docs/quality", "Image quality"],
  ["docs/speed", "Training speed"],
];

/**
 * Returns a table as HTML for a page of Markdown. On a narrow screen each row becomes a block, in which each value
 * follows its column's name.
 * @param columns their headings
 * @param rows values as HTML, in the order of the columns
 */
export function referenceTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((value) => `<td>${value}</td>`).join(" ")}</tr>`);
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join("\n")}\n</tbody>\n</table>`;
}

/** Returns text as HTML, with `code` between grave accents. */
export function inHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("$", "&#36;")
    .replace(/`([^`]+)`/g, "<code>$1</code>");
}
