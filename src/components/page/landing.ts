// Runs at the end of every page, before the page's cells (src/site/sitePolicy.js).
export {};

/** Keeps the target of the page's address in view while the content above it is drawn, until the reader acts. */
function keepTargetInView(): void {
  const target = document.getElementById(location.hash.slice(1));
  const main = document.querySelector("#observablehq-main");
  if (!target || !main) return;
  let height: number;
  let top: number;
  const currentPosition = () => [main.clientHeight, target.getBoundingClientRect().top];
  const scrollToTarget = () => {
    target.scrollIntoView({ behavior: "instant" });
    [height, top] = currentPosition();
  };
  // Called after layout and before paint, so nothing is seen to move.
  const observer = new ResizeObserver(scrollToTarget);
  observer.observe(main);
  const controller = new AbortController();
  const stopKeeping = () => {
    observer.disconnect();
    controller.abort();
  };
  for (const eventType of ["wheel", "touchstart", "pointerdown", "keydown", "hashchange"])
    addEventListener(eventType, stopKeeping, controller);
  // The page's scroll bar has no pointer events. The reader has used it if the target moves while the height stays.
  const stopIfScrolled = () => {
    const [currentHeight, currentTop] = currentPosition();
    if (currentHeight === height && Math.abs(currentTop - top) > 2) stopKeeping();
  };
  addEventListener("scroll", stopIfScrolled, controller);
  scrollToTarget();
}

/** Scrolls the links of the current page and chapter into view, where their lines are wider than the screen. */
function showCurrentLink(): void {
  for (const link of document.querySelectorAll<HTMLElement>("nav [aria-current]")) {
    const nav = link.closest("nav");
    nav!.scrollLeft = link.offsetLeft - nav!.offsetLeft - (nav!.clientWidth - link.offsetWidth) / 2;
  }
}

showCurrentLink();
keepTargetInView();
addEventListener("hashchange", keepTargetInView);
