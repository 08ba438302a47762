/**
 * Calls once, when an element comes near what is in sight: what costs time begins there.
 * @param margin how far around what is in sight counts as near; negative, how far within it
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
