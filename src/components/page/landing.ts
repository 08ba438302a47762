// Stands at the end of every page, and runs before the page's cells do (src/site/sitePolicy.js).
export {};

/**
 * Keeps the place that the page's address leads to in sight, while what stands above it is drawn: until the reader does
 * something.
 */
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
  // What a cell shows is told of before it is laid out, so that nothing is seen to move; what grows by itself, after it.
  const mutationObserver = new MutationObserver(scrollToTarget);
  const resizeObserver = new ResizeObserver(scrollToTarget);
  mutationObserver.observe(main, { childList: true, subtree: true, attributeFilter: ["hidden"] });
  resizeObserver.observe(main);
  const controller = new AbortController();
  const stopKeeping = () => {
    mutationObserver.disconnect();
    resizeObserver.disconnect();
    controller.abort();
  };
  for (const eventType of ["wheel", "touchstart", "pointerdown", "keydown", "hashchange"])
    addEventListener(eventType, stopKeeping, controller);
  // The page's scroll bar is no element that hears of its pointer: the place has gone, and the page is as high as before.
  const stopIfScrolled = () => {
    const [currentHeight, currentTop] = currentPosition();
    if (currentHeight === height && Math.abs(currentTop - top) > 2) stopKeeping();
  };
  addEventListener("scroll", stopIfScrolled, controller);
  scrollToTarget();
}

/** Brings into sight which page and which chapter this is, where the links stand in a line that is drawn aside. */
function showCurrentLink(): void {
  for (const link of document.querySelectorAll<HTMLElement>("nav > [aria-current]")) {
    const { parentElement: nav } = link;
    nav!.scrollLeft = link.offsetLeft - nav!.offsetLeft - (nav!.clientWidth - link.offsetWidth) / 2;
  }
}

/**
 * Lets go of the rooms that slots keep for what comes (page.css) where nobody looks: how high it is depends on the
 * reader's fonts, and nothing is to move under their eyes.
 */
function releaseReservedHeights(): void {
  const observer = new IntersectionObserver((entries) => {
    for (const { target: slot, isIntersecting } of entries) {
      if (!isIntersecting) slot.classList.add("let-go");
      const isReserved = getComputedStyle(slot).minHeight !== "0px";
      if (isIntersecting && isReserved) slot.classList.remove("let-go");
      if (!isIntersecting && !isReserved) observer.unobserve(slot);
    }
  });
  for (const slot of document.querySelectorAll(".slot")) observer.observe(slot);
}

showCurrentLink();
releaseReservedHeights();
keepTargetInView();
addEventListener("hashchange", keepTargetInView);
