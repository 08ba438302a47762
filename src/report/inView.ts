/** Parts of a report that show later states of the run once they are in view, and before printing. */
interface PartsInView<Report> {
  /** Returns an element made of a report. It is replaced by that of a later report. */
  add(make: (report: Report) => HTMLElement): HTMLElement;
  /** Calls a function with a later report, to update an element. */
  follow(element: HTMLElement, show: (report: Report) => void): void;
  update(next: Report): void;
}

/** Returns parts of a report. */
export function partsInView<Report>(report: Report): PartsInView<Report> {
  const inView = workInView();
  const updates: ((next: Report) => void)[] = [];
  return {
    add(make) {
      let node = make(report);
      const replace = (next: Report) => {
        const before = node;
        node = make(next);
        before.replaceWith(node);
      };
      updates.push((next) => inView(node, () => replace(next)));
      return node;
    },
    follow(element, show) {
      updates.push((next) => inView(element, () => show(next)));
    },
    update(next) {
      for (const update of updates) update(next);
    },
  };
}

/**
 * Returns a function that does work on an element once the element is in view or about to be, and before printing. Later
 * work replaces work that waits.
 */
function workInView(): (element: Element, work: () => void) => void {
  const waiting = new Map<Element, () => void>();
  let observer: IntersectionObserver | undefined;
  const finish = (element: Element) => {
    observer?.unobserve(element);
    waiting.get(element)?.();
    waiting.delete(element);
  };
  const finishVisible = (entries: IntersectionObserverEntry[]) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) finish(target);
  };
  const startObserver = () => {
    addEventListener("beforeprint", () => {
      for (const element of waiting.keys()) finish(element);
    });
    return new IntersectionObserver(finishVisible, { rootMargin: "50%" });
  };
  return (element, work) => {
    waiting.set(element, work);
    observer ??= startObserver();
    observer.observe(element);
  };
}
