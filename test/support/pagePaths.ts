import { readdirSync } from "node:fs";

/** The paths of all pages, with one recorded run. */
export const pagePaths = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => /^[^.].*\.md(\.ts)?$/.test(file))
  .map((file) => `/${file.replaceAll("\\", "/").replace(/\.md(\.ts)?$/, "")}`.replace(/\/index$/, "/"))
  .flatMap((path) => {
    if (!path.includes("[run]")) return path;
    const [one] = readdirSync("data/runs").toSorted();
    return path.replace("[run]", one);
  })
  .toSorted();

/** A script to run before a page's own: makes figures draw that are out of view or in a folded section. */
export const drawOffscreenScript = `(() => {
  globalThis.IntersectionObserver = class extends IntersectionObserver {
    constructor(hear, options) {
      super(hear, { ...options, rootMargin: "100000px" });
    }
  };
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*, :is(.section, .stages)::details-content { content-visibility: visible !important; }");
  document.adoptedStyleSheets.push(sheet);
})()`;

/** In the page: waits until nothing trains, loads or changes. */
export function waitUntilIdle(): Promise<void> {
  return new Promise<void>((done) => {
    const busySelector = 'observablehq-loading, .run-bar:is([data-state="starting"], [data-state="running"])';
    const startTimer = () =>
      setTimeout(() => {
        if (document.querySelector(busySelector)) timer = startTimer();
        else done(observer.disconnect());
      }, 250);
    let timer = startTimer();
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = startTimer();
    });
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  });
}
