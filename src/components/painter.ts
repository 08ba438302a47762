/** Milliseconds between two paintings of one thing, at the least. */
const interval = 150;
const calmInterval = 1000;

/** A painting takes at most about one part in this many of the time. */
const share = 8;

/** What tells whoever listens that it has changed. */
export interface Observed {
  /** Calls the listener after each change; returns what ends that. */
  observe(listener: () => void): () => void;
}

interface Painting {
  paint: () => void;
  isStale: boolean;
  isVisible: boolean;
  paintedAt: number;
  cost: number;
}

const paintings = new Set<Painting>();
let scheduled = false;

/**
 * Paints something whenever what it shows has changed and it can be seen: one painting a frame, a few times a second, and
 * less often what takes long. So the page stays responsive whatever is on it.
 * @returns asks for a painting for another reason, at once
 */
export function paintLive(element: HTMLElement, observed: Observed, paint: () => void): () => void {
  const painting: Painting = { paint, isStale: true, isVisible: false, paintedAt: Number.NEGATIVE_INFINITY, cost: 0 };
  paintings.add(painting);
  const soon = () => {
    painting.isStale = true;
    schedule();
  };
  const now = () => {
    painting.paintedAt = Number.NEGATIVE_INFINITY;
    soon();
  };
  let width = -1;
  const sized = new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === width) return;
    width = contentRect.width;
    now();
  });
  sized.observe(element);
  const seen = new IntersectionObserver(
    (entries) => {
      painting.isVisible = entries.at(-1)!.isIntersecting;
      schedule();
    },
    { rootMargin: "200px" },
  );
  seen.observe(element);
  let wasConnected = false;
  const ignore = observed.observe(() => {
    wasConnected ||= element.isConnected;
    if (!wasConnected || element.isConnected) return soon();
    // Its cell ran again.
    paintings.delete(painting);
    sized.disconnect();
    seen.disconnect();
    ignore();
  });
  return now;
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(paintOne);
}

function paintOne(): void {
  scheduled = false;
  const now = performance.now();
  const least = matchMedia("(prefers-reduced-motion: reduce)").matches ? calmInterval : interval;
  const waiting = [...paintings].filter(({ isStale, isVisible }) => isStale && isVisible);
  if (waiting.length === 0) return;
  const dueAt = ({ paintedAt, cost }: Painting) => paintedAt + Math.max(least, share * cost);
  const [next] = waiting.sort((a, b) => dueAt(a) - dueAt(b));
  if (dueAt(next) <= now) {
    next.isStale = false;
    next.paint();
    next.paintedAt = performance.now();
    next.cost = next.paintedAt - now;
  }
  schedule();
}
