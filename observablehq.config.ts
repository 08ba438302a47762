import type MarkdownIt from "markdown-it";
import temml from "temml";
import { recordedPaths } from "./src/cli/recordedRuns.js";
import { mathRule } from "./src/components/page/mathRule.js";
import { workOffline } from "./src/host/offline.js";

await workOffline("src");

// Three blobs, so that no browser asks for a favicon.ico.
const icon =
  "data:image/svg+xml," +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
      '<ellipse cx="6" cy="6" rx="5" ry="4" fill="#4269d0"/>' +
      '<ellipse cx="10" cy="8" rx="4" ry="5" fill="#ff725c" fill-opacity=".8"/>' +
      '<ellipse cx="7" cy="11" rx="5" ry="3" fill="#efb118" fill-opacity=".8"/></svg>',
  );

/** The site's pages, as their head leads to them. */
const pages = [
  ["index", "Lab"],
  ["learn/index", "Learn"],
  ["kernels", "Kernels"],
  ["sweep", "Sweeps"],
  ["compare", "Compare"],
  ["reports/index", "Reports"],
  ["quality", "Quality"],
  ["performance", "Speed"],
];

/** What there is to learn, in the order in which it builds up. */
const chapters = [
  ["learn/workgroups", "Workgroups"],
  ["learn/tiles", "Tiles"],
  ["learn/sorting", "Sorting"],
  ["learn/blending", "Blending"],
  ["learn/undo", "Undo"],
  ["learn/gradients", "Gradients"],
  ["learn/adam", "Adam"],
  ["learn/step", "The whole step"],
  ["learn/realtime", "To real time"],
  ["learn/gallery", "What is where"],
];

/** Links to all pages, from one of them, and from a chapter to the others. */
function navigation(page: string): string {
  const site = links("site", "Pages", pages, page);
  return page.startsWith("/learn/") ? site + links("chapters", "Chapters", chapters, page) : site;
}

function links(kind: string, label: string, places: string[][], page: string): string {
  const root = "../".repeat(page.split("/").length - 2) || "./";
  const within = page.startsWith("/learn/") && kind === "site" ? "/learn/index" : page;
  const each = places.map(([path, name]) => {
    const current = within === `/${path}` ? ' aria-current="page"' : "";
    return `<a href="${root}${path.replace(/index$/, "")}"${current}>${name}</a>`;
  });
  return `<nav class="${kind}" aria-label="${label}">${each.join(" ")}</nav>`;
}

export default {
  title: "splatbook",
  root: "src",
  output: "dist",
  theme: ["air", "near-midnight"],
  // The default is a web font from another origin.
  globalStylesheets: [],
  head: `<link rel="icon" href="${icon}">`,
  header: ({ path }: { path: string }) => navigation(path),
  footer: "splatbook: blobs learn a picture on your own GPU.",
  // The licences beside the pictures are no page.
  pages: [],
  // MathML: the browser sets it, with no script and no font of ours.
  markdownIt: (markdown: MarkdownIt) => {
    // \\data lets a formula stand for the same thing as a line of code: see src/components/figures/marks.ts.
    const trust = ({ command }: { command: string }) => command === "\\data";
    mathRule(markdown, (tex, displayMode) => temml.renderToString(tex, { displayMode, throwOnError: true, trust }));
    return markdown;
  },
  dynamicPaths: recordedPaths,
  sidebar: false,
  toc: false,
  pager: false,
  search: false,
};
