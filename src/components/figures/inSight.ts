/** Scrolls a box, and not the page, to a part of it that is out of its sight; sideways only to what fits into it. */
export function bringInSight(box: Element, part: Element | null): void {
  if (!part) return;
  const [outer, inner] = [box.getBoundingClientRect(), part.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - outer.height / 2;
  const isOut = inner.left < outer.left || inner.right > outer.right;
  if (isOut && inner.width < outer.width) box.scrollLeft += inner.left - outer.left - outer.width / 2;
}
