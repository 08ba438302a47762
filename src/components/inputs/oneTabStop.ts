import { arrowDirection } from "./arrowKeys.js";

/** HTML and SVG buttons. */
const buttonLike = 'button, [role="button"]';
type Button = HTMLElement | SVGElement;

/**
 * Makes the buttons of a group one tab stop (roving tabindex): Tab goes to the last used button, the arrow keys from button
 * to button, left and right in order, up and down by position. Call `showTabStop` after the buttons have changed.
 * @param selector selects the buttons
 */
export function oneTabStop(group: GlobalEventHandlers & Element, selector = buttonLike): void {
  showTabStop(group, null, selector);
  group.addEventListener("focusin", ({ target }) => {
    const button = (target as Element).closest(selector);
    if (button) showTabStop(group, button, selector);
  });
  group.addEventListener("keydown", (event) => {
    const buttons = buttonsOf(group, selector);
    const index = buttons.indexOf((event.target as Element).closest<Button>(selector)!);
    if (index < 0) return;
    const ends: Record<string, Button | undefined> = { Home: buttons[0], End: buttons.at(-1) };
    const [dx, dy] = arrowDirection(event) ?? [0, 0];
    const next = ends[event.key] ?? (dy === 0 ? buttons[index + dx] : nearestInRow(buttons, buttons[index], dy));
    if (next === buttons[index] || !next) return;
    event.preventDefault();
    next.focus();
  });
}

/** Sets the tab stop of a group: a button of the group, else the pressed one, else the first. */
export function showTabStop(group: Element, button?: Element | null, selector = buttonLike): void {
  const buttons = buttonsOf(group, selector);
  const stop =
    buttons.find((one) => one === button) ?? buttons.find(({ ariaPressed }) => ariaPressed === "true") ?? buttons[0];
  for (const one of buttons) one.tabIndex = one === stop ? 0 : -1;
}

function buttonsOf(group: Element, selector: string): Button[] {
  return [...group.querySelectorAll<Button>(selector)].filter((button) => !button.matches(":disabled"));
}

/** Returns the nearest button in the nearest row above or below. */
function nearestInRow(buttons: Button[], from: Button, dy: number): Button | undefined {
  const origin = from.getBoundingClientRect();
  const candidates = buttons
    .map((button) => ({ button, box: button.getBoundingClientRect() }))
    .map(({ button, box }) => ({ button, down: dy * (box.top - origin.top), aside: Math.abs(box.left - origin.left) }))
    .filter(({ down }) => down > origin.height / 2);
  const row = Math.min(...candidates.map(({ down }) => down));
  return candidates.filter(({ down }) => down < row + origin.height / 2).sort((a, b) => a.aside - b.aside)[0]?.button;
}
