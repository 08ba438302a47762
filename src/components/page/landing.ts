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

/**
 * Releases the reserved heights of slots (page.css) while they are out of view: the final height depends on the reader's
 * fonts, and closing a gap in view would shift the content.
 */
function releaseReservedHeights(): void {
  const observer = new IntersectionObserver((entries) => {
    for (const { target: slot, isIntersecting } of entries) {
      if (!isIntersecting) slot.classList.add("is-released");
      const isReserved = getComputedStyle(slot).minHeight !== "0px";
      if (isIntersecting && isReserved) slot.classList.remove("is-released");
      if (!isIntersecting && !isReserved) observer.unobserve(slot);
    }
  });
  for (const slot of document.querySelectorAll(".slot")) observer.observe(slot);
}

/** Elements of a figure or next to one; all others are prose. */
const figureParts = `.slot, :has(.slot), figure, .figure-anchor, .input-row, .learn-note, .figure-note, .shown-cell,
  .observablehq--block, pre[data-language]`;

/**
 * Makes slides of a chapter if its address asks for them (src/host/browser/headClasses.ts): each figure with the heading
 * above it and the controls next to it. The other content is hidden (src/components/learn/slides.css). The browser's own
 * scrolling leads from slide to slide.
 */
function makeSlides(): void {
  if (!document.documentElement.classList.contains("slides")) return;
  const main = document.querySelector("#observablehq-main")!;
  let heading = main.querySelector("h1");
  let parts: Element[] = [];
  const addSlide = () => {
    if (heading && parts.some((part) => part.matches(":is(.slot, :has(.slot), figure):not(p)"))) {
      const slide = document.createElement("section");
      slide.className = "slide";
      slide.ariaLabel = heading.textContent!.trim();
      parts[0].before(slide);
      // A section with several figures has its heading on each.
      slide.append(heading.closest(".slide") ? copyOf(heading) : heading, ...parts);
    }
    parts = [];
  };
  const copyOf = (node: Element) => {
    const copy = node.cloneNode(true) as Element;
    copy.removeAttribute("id");
    return copy;
  };
  const visit = (container: Element) => {
    for (const child of [...container.children]) {
      if (child.matches(".opening, .opening > div:not(.shown, .slot), .page-prose")) {
        addSlide();
        visit(child);
        addSlide();
      } else if (child.matches("h1, h2, h3, h4")) {
        addSlide();
        heading = child as HTMLHeadingElement;
      } else if (child.matches(figureParts)) {
        if (child.matches(".shown")) addSlide();
        parts.push(child);
      } else addSlide();
    }
  };
  visit(main);
  addSlide();
  const address = new URL(location.href);
  address.searchParams.delete("slides");
  const link = document.createElement("a");
  link.className = "leave-slides";
  link.href = address.href;
  link.textContent = "Leave slides";
  document.body.append(link);
}

makeSlides();
showCurrentLink();
// Slides keep theirs, since a gap that closes above a slide would move it.
if (!document.documentElement.classList.contains("slides")) releaseReservedHeights();
keepTargetInView();
addEventListener("hashchange", keepTargetInView);
