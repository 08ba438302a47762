// Stands at the end of every page, and runs before the page's cells do (src/site/sitePolicy.js).
export {};

/**
 * Keeps the place that the page's address leads to in sight, while what stands above it is drawn: until the reader does
 * something.
 */
function holdLanding(): void {
  const place = document.getElementById(location.hash.slice(1));
  const main = document.querySelector("#observablehq-main");
  if (!place || !main) return;
  let height: number;
  let top: number;
  const now = () => [main.clientHeight, place.getBoundingClientRect().top];
  const land = () => {
    place.scrollIntoView({ behavior: "instant" });
    [height, top] = now();
  };
  // What a cell shows is told of before it is laid out, so that nothing is seen to move; what grows by itself, after it.
  const shown = new MutationObserver(land);
  const grown = new ResizeObserver(land);
  shown.observe(main, { childList: true, subtree: true, attributeFilter: ["hidden"] });
  grown.observe(main);
  const end = new AbortController();
  const leave = () => {
    shown.disconnect();
    grown.disconnect();
    end.abort();
  };
  for (const act of ["wheel", "touchstart", "pointerdown", "keydown", "hashchange"]) addEventListener(act, leave, end);
  // The page's scroll bar is no element that hears of its pointer: the place has gone, and the page is as high as before.
  const hasGone = () => {
    const [highNow, topNow] = now();
    if (highNow === height && Math.abs(topNow - top) > 2) leave();
  };
  addEventListener("scroll", hasGone, end);
  land();
}

/** Brings into sight which page and which chapter this is, where the links stand in a line that is drawn aside. */
function showWhere(): void {
  for (const link of document.querySelectorAll<HTMLElement>("nav > [aria-current]")) {
    const { parentElement: nav } = link;
    nav!.scrollLeft = link.offsetLeft - nav!.offsetLeft - (nav!.clientWidth - link.offsetWidth) / 2;
  }
}

/**
 * Lets go of the rooms that slots keep for what comes (page.css) where nobody looks: how high it is depends on the
 * reader's fonts, and nothing is to move under their eyes.
 */
function keepRooms(): void {
  const observer = new IntersectionObserver((seen) => {
    for (const { target: slot, isIntersecting } of seen) {
      if (!isIntersecting) slot.classList.add("let-go");
      const waits = getComputedStyle(slot).minHeight !== "0px";
      if (isIntersecting && waits) slot.classList.remove("let-go");
      if (!isIntersecting && !waits) observer.unobserve(slot);
    }
  });
  for (const slot of document.querySelectorAll(".slot")) observer.observe(slot);
}

showWhere();
keepRooms();
holdLanding();
addEventListener("hashchange", holdLanding);
