/**
 * Returns a function that does work on an element once the element is in view or about to be, and before printing. Later
 * work replaces work that waits.
 */
export function workInView(): (element: Element, work: () => void) => void {
  const waiting = new Map<Element, () => void>();
  const finish = (element: Element) => {
    observer.unobserve(element);
    waiting.get(element)?.();
    waiting.delete(element);
  };
  const finishVisible = (entries: IntersectionObserverEntry[]) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) finish(target);
  };
  const observer = new IntersectionObserver(finishVisible, { rootMargin: "50%" });
  addEventListener("beforeprint", () => {
    for (const element of waiting.keys()) finish(element);
  });
  return (element, work) => {
    waiting.set(element, work);
    observer.observe(element);
  };
}
