// @ts-check
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The files of pages that have moved, by their former paths from the site's root. */
const movedPages = new Map([
  ["quality", "docs/quality.html"],
  ["performance", "docs/speed.html"],
  ["where", "docs/index.html"],
  ["docs/measurements", "docs/speed.html"],
]);

/**
 * Writes a page at each former address that leads to the new one.
 * @param {string} site the folder of the built site
 */
export function writeMovedPages(site) {
  for (const [path, page] of movedPages) {
    const href = `${"../".repeat(path.split("/").length - 1)}${page}`;
    writeFileSync(
      join(site, `${path}.html`),
      `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Page moved | splatbook</title>
<script>location.replace("${href}" + location.search + location.hash)</script>
<p>This page has moved to <a href="${href}">${page}</a>.</p>
</html>
`,
    );
  }
}
