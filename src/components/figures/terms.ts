import { element, svg } from "../page/element.js";
import { words } from "./words.js";

// A symbol is a word of its own, in its own case.
const names = Object.keys(words).sort((a, b) => b.length - a.length);
const anyWord = new RegExp(`(?<![\\p{L}\\d_-])(${names.join("|")})(?:s|es)?(?![\\p{L}\\d_-])`, "giu");

/** What is said in figures: titles, notes, names of facts, heads of tables, axes of charts and legends. */
const said = [
  "figcaption",
  "figure[class^='plot-'] > h3",
  ".learn-note",
  "dt",
  "th",
  "[aria-label$='-axis label'] text",
  "[class*='-swatches']",
  "svg[class$='-ramp']",
  ".ramp-label",
  ".tile-legend",
].join();

/** What can have the focus itself: it tells of the words in it. */
const holder = "button, summary, thead th[title]";
const focused = `:focus, :is(${holder}):focus *`;
/** What is changed in a live region would be read out. */
const unexplained = `.term, code, math, style, select, option, a, .visually-hidden, [aria-hidden="true"], [aria-live],
  [role="status"], [role="alert"], output`;

let isExplaining = false;

/**
 * Explains the words of the field where they first stand in a figure, also in one that is drawn later: they tell what they
 * mean where they are pointed at, tapped or gone to by keys.
 */
export function explainWords(): void {
  if (isExplaining) return;
  isExplaining = true;
  new MutationObserver((records) => {
    for (const place of new Set(records.map(({ target }) => target as Element))) explainIn(place);
    if (shown && !shown.isConnected) showAgain();
  }).observe(document.body, { childList: true, subtree: true });
  explainIn(document.body);
  for (const type of ["pointerover", "focusin", "click"]) {
    document.addEventListener(type, ({ target }) => {
      const term = termOf(target);
      if (term) open(term);
      else closeLeft();
    });
  }
  // What is drawn anew loses the focus, and has it again by then.
  document.addEventListener("focusout", () => setTimeout(closeLeft));
  // By keys one comes to it as the page scrolls there.
  const follow = () => shown && (hasFocus ? open(shown) : close());
  document.addEventListener("scroll", follow, { capture: true, passive: true });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && close());
}

function explainIn(node: Element): void {
  for (const place of node.closest(said) ? [node] : node.querySelectorAll(said)) {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (!text.parentElement!.closest(unexplained) && !isValue(text)) explain(text);
    }
  }
}

/** Whether it may be a value in prose, whose node is Framework's to replace: it stands before a comment. */
function isValue({ parentNode }: Text): boolean {
  return [...parentNode!.childNodes].some((node) => node instanceof Comment);
}

function explain(text: Text): void {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const found of text.data.matchAll(anyWord)) {
    const [whole, word] = found;
    const name = word in words ? word : word.toLowerCase();
    if (!(name in words) || isToldBy(text, name, parts)) continue;
    parts.push(text.data.slice(end, found.index), term(whole, name, text.parentElement!));
    end = found.index + whole.length;
  }
  if (parts.length > 0) text.replaceWith(...parts, text.data.slice(end));
}

/** Whether its figure has explained a word. */
function isToldBy(text: Text, name: string, before: (Node | string)[]): boolean {
  const isIt = (node: Node | string) => node instanceof Element && node.getAttribute("data-word") === name;
  return before.some(isIt) || figureOf(text.parentElement!).querySelector(toldAs(name)) !== null;
}

function figureOf(place: Element): Element {
  const outer = place.closest(".learn-figure") ?? place.closest(".slot");
  return outer ?? place.closest(".observablehq--block, figure") ?? place;
}

function toldAs(name: string): string {
  return `[data-word="${CSS.escape(name)}"]`;
}

function term(word: string, name: string, place: Element): Element {
  const attributes = { class: "term", "data-word": name, tabindex: !place.closest(holder) && 0 };
  return place instanceof SVGElement
    ? svg("tspan", { ...attributes, role: "term" }, word)
    : element("dfn", attributes, word);
}

/** The word that is meant by what is pointed at or has the focus. */
function termOf(target: EventTarget | null): Element | null {
  if (!(target instanceof Element)) return null;
  return target.closest(".term") ?? (target.matches(holder) ? target.querySelector(".term") : null);
}

const tipId = "word-explained";
let tip: HTMLElement | undefined;
let shown: Element | undefined;
let shownIn: Element | undefined;
let hasFocus = false;

/** Below the word, or above it where there is no room, and never beyond the window. */
function open(node: Element): void {
  tip ??= document.body.appendChild(
    element("div", { id: tipId, class: "term-tip", role: "tooltip", popover: "manual" }),
  );
  shown = node;
  shownIn = figureOf(node);
  hasFocus = node.matches(focused);
  (node.closest(holder) ?? node).setAttribute("aria-describedby", tipId);
  tip.textContent = words[node.getAttribute("data-word")!];
  tip.showPopover();
  const word = node.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const below = word.bottom + 6;
  tip.style.left = `${Math.max(8, Math.min(word.left, document.documentElement.clientWidth - width - 8))}px`;
  tip.style.top = `${below + height < innerHeight ? below : word.top - height - 6}px`;
}

function closeLeft(): void {
  if (!shown?.matches(`:hover, ${focused}`)) close();
}

function close(): void {
  shown = undefined;
  tip?.hidePopover();
}

/** Goes on where a figure was drawn anew. */
function showAgain(): void {
  const again = shownIn!.querySelector<HTMLElement>(toldAs(shown!.getAttribute("data-word")!));
  if (!again) close();
  else if (hasFocus) again.focus({ preventScroll: true });
  else open(again);
}
