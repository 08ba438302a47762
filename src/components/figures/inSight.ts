/**
 * Scrolls a box, and not the page, to parts of it that are out of its sight: to all of them, or to the first where they
 * do not fit into it; sideways only to what does.
 */
export function bringInSight(box: Element, ...parts: (Element | null)[]): void {
  const all = parts.flatMap((part) => part?.getBoundingClientRect() ?? []);
  if (all.length === 0) return;
  const outer = box.getBoundingClientRect();
  const bottom = Math.max(...all.map((inner) => inner.bottom));
  const { top, left, right, height, width } = all[0];
  const isWhole = bottom - top <= box.clientHeight;
  const end = isWhole ? bottom : top + height;
  if (top < outer.top || end > outer.bottom) box.scrollTop += (top + end) / 2 - outer.top - outer.height / 2;
  const isOut = left < outer.left || right > outer.right;
  if (isOut && width < outer.width) box.scrollLeft += left - outer.left - outer.width / 2;
}
