// The index: all pages with their sections, text and figures.
import { readFileSync } from "node:fs";
import slugify from "@sindresorhus/slugify";
import { figuresOf, indexId } from "./components/cells/pageFigures.js";
import { frontMatterOf } from "./components/page/pageCards.js";
import { pagesWithThumbnail } from "./components/page/pages.js";
import { docsPages, pageMarkdown } from "./site/docs.js";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** Returns the text of a section, without cells, elements and Markdown syntax. */
function plainText(markdown: string): string {
  return markdown
    .replace(/^(`{3,})[^\n]*\n.*?^\1/gms, "")
    .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…")
    .replace(/<[^>]+>|^#+ .+$/gm, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\|[ :|-]*/g, " ")
    .replace(/&(?:lt|gt|amp|#36);/g, (entity) => ({ "&lt;": "<", "&gt;": ">", "&amp;": "&" })[entity] ?? "")
    .replace(/[`*$\\]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function pageOf(path: string) {
  const markdown = pageMarkdown(path);
  const lines = markdown.split("\n");
  const starts = lines.flatMap((line, at) => (/^#{1,3} /.test(line) ? [at] : []));
  const headings = starts.map((at) => lines[at].replace(/^#+ |[`$*]/g, ""));
  const address = `./${path}.html`.replace(/index\.html$/, "");
  const place = indexId(path);
  const figures = figuresOf(markdown, path, read);
  const sections = starts.map((start, number) => {
    const end = starts[number + 1] ?? lines.length;
    const within = figures.filter(({ line }) => start <= line && line < end);
    return {
      page: place,
      heading: headings[number],
      address: number === 0 ? address : `${address}#${slugify(headings[number])}`,
      figures: within.map(({ titles, id }) => ({ titles, address: `${address}#${id}`, place: indexId(path, id) })),
      text: plainText(lines.slice(start, end).join("\n")),
    };
  });
  const { description } = frontMatterOf(markdown);
  return { title: headings[0], path, place, address, description, sections };
}

/** Returns the documentation and the Troubleshooting page as one page with the others as sections. */
function documentation() {
  const [overview, ...others] = [...docsPages.map(([path]) => path), "help"].map(pageOf);
  const sections = others.flatMap(({ sections: [page, ...within] }) => {
    const top = { ...page, address: `${page.address}#${slugify(page.heading)}` };
    return [top, ...within].map((section) => ({ ...section, page: overview.place }));
  });
  return { ...overview, sections: [...overview.sections, ...sections] };
}

process.stdout.write(JSON.stringify([...pagesWithThumbnail.map(pageOf), documentation()]));
