import { keepTables, resume } from "./keptTables.js";

/** The heads of the columns by which a table of Observable's sorts. */
const heads = "form > table > thead th[title]";

/** What scrolls where the page is narrow, and cannot be come to by keys otherwise. */
const scrolling = ["form:has(> table)", ".learn-scroll", ".slang-words", ".stage-bindings"]
  .map((selector) => `${selector}:not([tabindex])`)
  .join();

/**
 * Gives Observable's inputs what they lack for who does not use a mouse: a slider its box's name, what scrolls a place in
 * the order of the keys, and a table's columns sorting by them: one head is come to by Tab, the others by the arrows, and
 * Enter or the space bar sorts. Plot's marks get a role, without which a browser passes over their labels. Those that cells make later are seen to as they come.
 */
export function makeAccessible(root: HTMLElement): void {
  root.addEventListener("keydown", (event) => {
    const head = event.target as HTMLElement;
    if (head.matches(heads)) sortByKeys(head, event);
  });
  keepTables(root);
  new MutationObserver((records) => {
    // A table's heads depend on each other, and a slider's name on what stands beside it.
    const places = records.map(({ target }) => (target as Element).closest("form") ?? (target as Element));
    for (const place of new Set(places)) lookIn(place);
  }).observe(root, { childList: true, subtree: true });
  lookIn(root);
}

function lookIn(place: Element): void {
  const all = <T extends HTMLElement>(selector: string) =>
    [place, ...place.querySelectorAll(selector)].filter((node): node is T => node.matches(selector));
  for (const slider of all<HTMLInputElement>('form input[type="range"]:not([aria-label], [id])')) {
    const label = slider.closest("form")?.querySelector("label")?.textContent;
    if (label) slider.ariaLabel = `${label}, slider`;
  }
  for (const box of all(scrolling)) box.tabIndex = 0;
  for (const mark of all("svg [aria-label]:not([role])")) mark.role = mark.localName === "g" ? "group" : "img";
  for (const form of all<HTMLFormElement>("form:has(> table)")) resume(form);
  for (const head of all(heads)) {
    if (!head.hasAttribute("tabindex")) head.tabIndex = head.matches("[tabindex] ~ *") ? -1 : 0;
    const sorting = { "▴": "ascending", "▾": "descending" }[head.firstElementChild?.textContent ?? ""] ?? null;
    if (head.ariaSort !== sorting) head.ariaSort = sorting;
  }
}

function sortByKeys(head: HTMLElement, event: KeyboardEvent): void {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    head.click();
    return;
  }
  const next = { ArrowLeft: head.previousElementSibling, ArrowRight: head.nextElementSibling }[event.key];
  if (!(next instanceof HTMLElement && next.matches(heads))) return;
  event.preventDefault();
  head.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
