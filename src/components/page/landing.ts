/**
 * Keeps the place that the page's address leads to where the browser put it, while what stands above is drawn: until the
 * reader does something.
 */
export function holdLanding(main: HTMLElement): void {
  const place = document.querySelector(":target");
  if (!place) return;
  const now = () => [main.clientHeight, place.getBoundingClientRect().top];
  let [height, top] = now();
  const observer = new ResizeObserver(() => {
    place.scrollIntoView({ behavior: "instant" });
    [height, top] = now();
  });
  observer.observe(main);
  const end = new AbortController();
  const leave = () => {
    observer.disconnect();
    end.abort();
  };
  for (const act of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(act, leave, end);
  // The page's scroll bar is no element that hears of its pointer: the place has gone, and the page is as high as before.
  const hasGone = () => {
    const [highNow, topNow] = now();
    if (highNow === height && Math.abs(topNow - top) > 2) leave();
  };
  addEventListener("scroll", hasGone, end);
}

/** Brings into sight which page and which chapter this is, where the links stand in a line that is drawn aside. */
export function showWhere(): void {
  for (const link of document.querySelectorAll<HTMLElement>("nav > [aria-current]")) {
    const { parentElement: nav } = link;
    nav!.scrollLeft = link.offsetLeft - nav!.offsetLeft - (nav!.clientWidth - link.offsetWidth) / 2;
  }
}
