/** Parts of a report that show later states of the run once they are in view, and before printing. */
export class PartsInView<Report> {
  readonly #inView = workInView();
  readonly #updates: ((next: Report) => void)[] = [];

  constructor(readonly report: Report) {}

  /** Returns an element made of the report. It is replaced by that of a later report. */
  add(make: (report: Report) => HTMLElement): HTMLElement {
    let node = make(this.report);
    const replace = (next: Report) => {
      const before = node;
      node = make(next);
      before.replaceWith(node);
    };
    this.#updates.push((next) => this.#inView(node, () => replace(next)));
    return node;
  }

  /** Updates an element by a function of a later report. */
  follow(element: HTMLElement, show: (report: Report) => void): void {
    this.#updates.push((next) => this.#inView(element, () => show(next)));
  }

  update(next: Report): void {
    for (const update of this.#updates) update(next);
  }
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
