/**
 * Calls once, when an element comes near what is in sight: what costs time begins there.
 * @param margin how far around what is in sight counts as near; negative, how far within it
 */
export function whenSeen(node: Element, start: () => void, margin = "300px"): void {
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

/** Milliseconds after which an element that was never shown will not be: its cell has run again. */
const patience = 10_000;

const waiting = new Map<Element, { wasConnected: boolean; since: number; end: () => void }>();
const observer = typeof MutationObserver === "undefined" ? undefined : new MutationObserver(lookForGone);

/** Calls once, when an element that was on the page has left it: what it holds is freed there. */
export function whenGone(node: Element, end: () => void): void {
  if (waiting.size === 0) observer?.observe(document, { childList: true, subtree: true });
  waiting.set(node, { wasConnected: node.isConnected, since: performance.now(), end });
}

function lookForGone(): void {
  for (const [node, wait] of waiting) {
    if (node.isConnected) wait.wasConnected = true;
    else if (wait.wasConnected || performance.now() - wait.since > patience) {
      waiting.delete(node);
      wait.end();
    }
  }
  if (waiting.size === 0) observer!.disconnect();
}
