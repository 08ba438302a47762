/**
 * Returns elements made of a report, and a function that replaces each by that of a later report once it is in view.
 */
export function partsInView<Report>(
  report: Report,
  makers: ((report: Report) => HTMLElement)[],
): { nodes: HTMLElement[]; update(next: Report): void } {
  let inView: ReturnType<typeof workInView> | undefined;
  const nodes = makers.map((make) => make(report));
  const update = (next: Report) => {
    inView ??= workInView();
    for (const [i, make] of makers.entries()) {
      const before = nodes[i];
      inView(before, () => {
        nodes[i] = make(next);
        before.replaceWith(nodes[i]);
      });
    }
  };
  return { nodes, update };
}

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
