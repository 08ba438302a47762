import { workOffline } from "./src/host/offline.js";

workOffline("src");

export default {
  title: "splatbook",
  root: "src",
  output: "dist",
  theme: ["air", "near-midnight"],
  // The default is a web font from another origin; inputs.css is what a bare import of @observablehq/inputs leaves out.
  globalStylesheets: ["observablehq:stdlib/inputs.css"],
  head: '<meta name="color-scheme" content="light dark">',
  footer: "splatbook: blobs learn a picture on your own GPU.",
  sidebar: true,
  toc: true,
  pager: true,
  search: false,
};
