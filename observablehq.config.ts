import { existsSync, readFileSync } from "node:fs";
import type MarkdownIt from "markdown-it";
import temml from "temml";
import { cellRule } from "./src/components/page/cellRule.js";
import { chapterLineRule } from "./src/components/page/chapterLine.js";
import { formulaOptions, mathRule } from "./src/components/page/mathRule.js";
import { cardsRule, frontMatterOf } from "./src/components/page/pageCards.js";
import { chapters, pages, parts } from "./src/components/page/pages.js";
import { guides, results } from "./src/site/docs.js";
import { workOffline } from "./src/site/offline.js";
import { recordedPaths } from "./src/site/recordedRuns.js";

// A folder that src/site/pageModules.js has filled.
const root = process.env.SITE_ROOT ?? "src";

await workOffline(root);

/** Returns a file below src/. */
const read = (path: string) => readFileSync(`src/${path}`, "utf8");

interface Page {
  title?: string | null;
  path: string;
}

/** Returns the relative path from a page to the site's root. */
const pathToRoot = (path: string) => "../".repeat(path.split("/").length - 1) || "./";

const mathematics = readFileSync("src/components/page/mathematics.woff2", "base64");

/** Returns the head elements of a page that Framework does not write, from the page's front matter. */
function pageHead({ title, path }: Page): string {
  const page = `src${path.replace(/^\/reports\/(?!index$).*/, "/reports/[run]")}.md`;
  // A page loader contains the front matter that it prints.
  const file = [page, `${page}.ts`].find(existsSync);
  const text = file ? readFileSync(file, "utf8") : "";
  const { description = "Blobs learn an image on your own GPU." } = frontMatterOf(text);
  const openGraph = { site_name: "splatbook", type: "website", title: title ?? "splatbook", description };
  return [
    '<link rel="icon" href="/icon.svg">',
    `<meta name="description" content="${description}">`,
    ...Object.entries(openGraph).map(([property, content]) => `<meta property="og:${property}" content="${content}">`),
    // In the page itself, so that the first paint has it. If it has not, lines stay as they are.
    /^\$\$$|(?<!\S)\$[^\s${`][^$\n`]*\$/m.test(text) &&
      `<style>@font-face { font-family: Mathematics; font-display: optional; src: url("data:font/woff2;base64,${mathematics}"); }</style>`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** Returns links from a page to all pages, and from a chapter or a page of the documentation to the others. */
function navigation(page: string): string {
  const siteLinks = `<nav class="site" aria-label="Pages">${linksTo(pages, page, true)}</nav>`;
  if (page.startsWith("/docs/")) return siteLinks + chapterLinks("Documentation", docsParts, page);
  return page.startsWith("/learn/") ? siteLinks + chapterLinks("Chapters", parts, page) : siteLinks;
}

const docsParts = [
  { name: "", chapters: guides },
  { name: "Results", chapters: results },
];

/** Returns links to the pages of a folder, each part with its name. */
function chapterLinks(label: string, parts: readonly { name: string; chapters: Links }[], page: string): string {
  const lists = parts.map(({ name, chapters }) => `<span>${name} ${linksTo(chapters, page)}</span>`);
  return `<nav class="chapters" aria-label="${label}">${lists.join(" ")}</nav>`;
}

type Links = readonly (readonly [path: string, name: string])[];

/** @param isSite whether a link to the index of the page's folder is the current one */
function linksTo(linkTargets: Links, page: string, isSite = false): string {
  const root = pathToRoot(page.slice(1));
  const [, folder] = /^\/(learn|docs)\//.exec(page) ?? [];
  const currentPage = folder && isSite ? `/${folder}/index` : page;
  const items = linkTargets.map(([path, name]) => {
    const current = currentPage === `/${path}` ? ' aria-current="page"' : "";
    return `<a href="${root}${path.replace(/index$/, "")}"${current}>${name}</a>`;
  });
  return items.join(" ");
}

export default {
  title: "splatbook",
  root,
  // The build sets a temporary folder (src/site/framework.js).
  output: process.env.SITE_OUTPUT ?? "dist",
  // A plain file server finds kernels.html, but not kernels. Framework adds the extension to every link of a page.
  preserveExtension: true,
  style: "components/page/page.css",
  // The default is a web font from another origin.
  globalStylesheets: [],
  head: pageHead,
  header: ({ path }: Page) =>
    `<a class="skip" href="#page">To the page</a>${navigation(path)}<a id="page" tabindex="-1"></a>`,
  footer: ({ path }: Page) =>
    `splatbook: fit images with 2D Gaussians on your own GPU. <a rel="help" href="${pathToRoot(path.slice(1))}help">Troubleshooting</a>`,
  // For the pager alone. The header has the navigation.
  pages: chapters.map(([path, name]) => ({ name, path: `/${path}`, pager: "chapters" })),
  // Formulas become MathML, which needs no script.
  markdownIt: (markdown: MarkdownIt) => {
    const options = { ...formulaOptions, throwOnError: true };
    chapterLineRule(markdown);
    mathRule(markdown, (tex, displayMode) => temml.renderToString(tex, { ...options, displayMode }));
    cellRule(markdown);
    cardsRule(markdown, read);
    return markdown;
  },
  dynamicPaths: recordedPaths,
  // The command `tsx` would start two processes for each data loader.
  interpreters: { ".ts": [process.execPath, "--import", "tsx"] },
  sidebar: false,
  toc: false,
  search: false,
};
