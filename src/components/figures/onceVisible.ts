/**
 * Calls `start` once, when an element comes near the viewport, to delay expensive work.
 * @param margin the distance from the viewport; negative for a distance within it
 */
export function onceVisible(node: Element, start: () => void, margin = "300px"): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      start();
    },
    { rootMargin: margin },
  );
  observer.observe(node);
}
