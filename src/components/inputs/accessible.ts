/** What scrolls where the page is narrow, and cannot be come to by keys otherwise. */
const scrolling = ["form:has(> table)", ".learn-scroll", ".slang-words", ".stage-bindings"]
  .map((selector) => `${selector}:not([tabindex])`)
  .join();

/**
 * Gives Observable's inputs what they lack for who does not use a mouse: a slider its box's name, and what
 * scrolls a place in the order of the keys. Those that cells make later are seen to as they come.
 */
export function makeAccessible(root: HTMLElement): void {
  const look = () => {
    for (const slider of root.querySelectorAll<HTMLInputElement>('form input[type="range"]:not([aria-label], [id])')) {
      const label = slider.closest("form")?.querySelector("label")?.textContent;
      if (label) slider.ariaLabel = `${label}, slider`;
    }
    for (const box of root.querySelectorAll<HTMLElement>(scrolling)) box.tabIndex = 0;
  };
  new MutationObserver(look).observe(root, { childList: true, subtree: true });
  look();
}
