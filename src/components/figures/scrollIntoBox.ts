/**
 * Scrolls a box, and not the page, to parts that are out of view: to all of them if they fit, else to the first. Scrolls
 * sideways only if the first part fits.
 */
export function scrollIntoBox(box: Element, ...parts: (Element | null)[]): void {
  const boxes = parts.flatMap((part) => part?.getBoundingClientRect() ?? []);
  if (boxes.length === 0) return;
  const outer = box.getBoundingClientRect();
  const bottom = Math.max(...boxes.map((inner) => inner.bottom));
  const { top, left, right, height, width } = boxes[0];
  const isFitting = bottom - top <= box.clientHeight;
  const end = isFitting ? bottom : top + height;
  if (top < outer.top || end > outer.bottom) box.scrollTop += (top + end) / 2 - outer.top - outer.height / 2;
  const isClipped = left < outer.left || right > outer.right;
  if (isClipped && width < outer.width) box.scrollLeft += left - outer.left - outer.width / 2;
}
