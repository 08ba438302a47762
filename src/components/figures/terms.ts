import { html, svg } from "htl";
import { glossary, splitTerms } from "./glossary.js";
import { linkThings, onPointed, thingName } from "./pointing.js";

/** The texts of figures: titles, notes, names of facts, heads of tables, axes of charts and legends. */
const explainable = [
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

/** Focusable elements, which show the meaning of a term in them. */
const focusableSelector = "button, summary, thead th[title]";
/** Screen readers would announce a change in a live region. */
const excluded = `.term, [data-help], code, math, style, select, option, a, .visually-hidden, [aria-hidden="true"], [aria-live],
  [role="status"], [role="alert"], output`;

/** Explains the terms of the glossary in a figure, each at its first occurrence: pointing at it shows its meaning. */
export function explain<E extends Element>(figure: E): E {
  showMeanings();
  for (const place of [figure, ...figure.querySelectorAll(explainable)].filter((node) => node.matches(explainable))) {
    const walker = document.createTreeWalker(place, 4);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const parent = text.parentElement!;
      if (parent.closest(excluded)) continue;
      const parts = splitTerms(text.data);
      if (parts.length > 1 || typeof parts[0] === "object")
        text.replaceWith(...parts.map((part) => (typeof part === "string" ? part : term(part, parent))));
    }
  }
  const explained = new Set<string>();
  for (const node of figure.querySelectorAll<HTMLElement | SVGElement>(".term")) {
    const word = node.dataset.things!;
    if (explained.has(word)) node.replaceWith(...node.childNodes);
    explained.add(word);
  }
  return figure;
}

function term({ word, name }: { word: string; name: string }, place: Element): Element {
  const tabindex = place.closest(focusableSelector) ? null : 0;
  const node =
    place instanceof SVGElement
      ? svg`<tspan class="term" role="term" tabindex=${tabindex}>${word}</tspan>`
      : html`<dfn class="term" tabindex=${tabindex}>${word}</dfn>`;
  return linkThings<Element>(node, thingName("word", name));
}

const tipId = "word-explained";
let tip: HTMLElement | undefined;

/** Shows the meaning of the pointed term from now on. */
export function showMeanings(): void {
  if (tip) return;
  tip = html`<div id=${tipId} class="term-tip" role="tooltip" popover="manual"></div>`;
  document.body.append(tip);
  onPointed((_, place) => {
    if (place?.matches(".term, [data-help]")) openTip(tip!, place as HTMLElement);
    else tip!.hidePopover();
  });
}

/** The texts of elements with help. As attributes they would enlarge reports, which are HTML without script. */
const helps = new WeakMap<Element, string>();

/**
 * Shows a text while an element is pointed at, tapped or focused.
 * @param thing the thing that the element is linked to
 */
export function helpOn(node: HTMLElement, thing: string, text: string): void {
  node.dataset.help = "";
  helps.set(node, text);
  linkThings(node, thing);
  for (const type of ["pointerover", "focusin"]) node.addEventListener(type, showMeanings, { once: true });
}

function openTip(tip: HTMLElement, node: HTMLElement): void {
  const thing = node.getAttribute("data-things")!;
  const block = node.closest(".observablehq--block");
  tip.textContent = helps.get(node) ?? glossary[decodeURIComponent(thing.slice("word:".length))];
  tip.showPopover();
  trackWord(
    tip,
    node,
    () => block?.querySelector(`:is(.term, [data-help])[data-things="${CSS.escape(thing)}"]`) ?? undefined,
  );
}

let frame = 0;

/**
 * Keeps the open tip below a term, or above it if there is no space, within the window.
 * @param findAgain finds the term if its figure was drawn again
 */
function trackWord(tip: HTMLElement, node: Element, findAgain: () => Element | undefined): void {
  const control = node.closest<HTMLElement>(focusableSelector) ?? (node as HTMLElement);
  control.setAttribute("aria-describedby", tipId);
  let hasFocus = false;
  const place = () => {
    if (!tip.matches(":popover-open")) return;
    if (!node.isConnected) {
      const next = findAgain();
      if (!next) return tip.hidePopover();
      if (hasFocus)
        (next.closest<HTMLElement>(focusableSelector) ?? (next as HTMLElement)).focus({ preventScroll: true });
      return trackWord(tip, next, findAgain);
    }
    hasFocus = document.activeElement === control;
    const word = node.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const below = word.bottom + 6;
    tip.style.left = `${Math.max(8, Math.min(word.left, document.documentElement.clientWidth - width - 8))}px`;
    tip.style.top = `${below + height < innerHeight ? below : word.top - height - 6}px`;
    frame = requestAnimationFrame(place);
  };
  cancelAnimationFrame(frame);
  place();
}
