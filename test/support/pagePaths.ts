import { readdirSync } from "node:fs";

/** The path of every page of the site; of the recorded runs one, and one that was fitted by regions. */
export const pagePaths = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => /^[^.].*\.md(\.ts)?$/.test(file))
  .map((file) => `/${file.replaceAll("\\", "/").replace(/\.md(\.ts)?$/, "")}`.replace(/\/index$/, "/"))
  .flatMap((path) => {
    if (!path.includes("[run]")) return path;
    const [one] = readdirSync("data/runs").toSorted();
    return [one, "chelsea-regions"].map((run) => path.replace("[run]", run));
  })
  .toSorted();

/** A script to run before a page's own: all of the page is in sight at once, since what is out of sight is not drawn. */
export const drawOffscreenScript = `(() => {
  globalThis.IntersectionObserver = class extends IntersectionObserver {
    constructor(hear, options) {
      super(hear, { ...options, rootMargin: "100000px" });
    }
  };
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { content-visibility: visible !important; }");
  document.adoptedStyleSheets.push(sheet);
})()`;

/** In the page: waits until nothing trains or loads, and nothing changes any more. */
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
