import { recordedPaths } from "./src/cli/recordedRuns.js";
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
  ["kernels", "Kernels"],
  ["sweep", "Sweeps"],
  ["compare", "Compare"],
  ["reports/index", "Reports"],
  ["quality", "Quality"],
  ["performance", "Speed"],
];

/** Links to all pages, from one of them. */
function navigation(page: string): string {
  const root = "../".repeat(page.split("/").length - 2) || "./";
  const links = pages.map(([path, name]) => {
    const current = page === `/${path}` ? ' aria-current="page"' : "";
    return `<a href="${root}${path.replace(/index$/, "")}"${current}>${name}</a>`;
  });
  return `<nav class="site" aria-label="Pages">${links.join(" ")}</nav>`;
}

export default {
  title: "splatbook",
  root: "src",
  output: "dist",
  theme: ["air", "near-midnight"],
  // The default is a web font from another origin; inputs.css is what a bare import of @observablehq/inputs leaves out.
  globalStylesheets: ["observablehq:stdlib/inputs.css"],
  head: `<link rel="icon" href="${icon}">`,
  header: ({ path }: { path: string }) => navigation(path),
  footer: "splatbook: blobs learn a picture on your own GPU.",
  // The licences beside the pictures are no page.
  pages: [],
  dynamicPaths: recordedPaths,
  sidebar: false,
  toc: false,
  pager: false,
  search: false,
};
