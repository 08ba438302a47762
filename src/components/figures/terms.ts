import { element } from "../page/element.js";
import { words } from "./words.js";

// A symbol is a word of its own, in its own case.
const names = Object.keys(words).sort((a, b) => b.length - a.length);
const anyWord = new RegExp(`(?<![\\p{L}\\d_-])(${names.join("|")})(?:s|es)?(?![\\p{L}\\d_-])`, "giu");

/**
 * A text whose words of the field tell what they mean where they are pointed at, tapped or gone to by keys.
 * @param told words that have been explained before; those of the text join them
 */
export function explained(text: string, told = new Set<string>()): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const found of text.matchAll(anyWord)) {
    const [whole, word] = found;
    const name = word in words ? word : word.toLowerCase();
    if (!(name in words) || told.has(name)) continue;
    told.add(name);
    parts.push(text.slice(end, found.index), term(whole, words[name]));
    end = found.index + whole.length;
  }
  return [...parts, text.slice(end)].filter((part) => part !== "");
}

function term(word: string, means: string): HTMLElement {
  const show = () => open(node, means);
  const hide = () => node === shown && !node.matches(":hover, :focus") && close();
  const onkeydown = ({ key }: KeyboardEvent) => key === "Escape" && close();
  const node = element("dfn", { class: "term", tabindex: 0, onkeydown }, word);
  for (const type of ["pointerenter", "focus", "click"]) node.addEventListener(type, show);
  for (const type of ["pointerleave", "blur"]) node.addEventListener(type, hide);
  return node;
}

const tipId = "word-explained";
let tip: HTMLElement | undefined;
let shown: HTMLElement | undefined;

/** Below the word, or above it where there is no room, and never beyond the window. */
function open(node: HTMLElement, means: string): void {
  tip ??= document.body.appendChild(
    element("div", { id: tipId, class: "term-tip", role: "tooltip", popover: "manual" }),
  );
  shown = node;
  node.setAttribute("aria-describedby", tipId);
  tip.textContent = means;
  tip.showPopover();
  const word = node.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const below = word.bottom + 6;
  tip.style.left = `${Math.max(8, Math.min(word.left, document.documentElement.clientWidth - width - 8))}px`;
  tip.style.top = `${below + height < innerHeight ? below : word.top - height - 6}px`;
  addEventListener("scroll", close, { once: true, capture: true });
}

function close(): void {
  shown = undefined;
  tip?.hidePopover();
}
