import { html } from "htl";

/** The items of a menu: labels and actions. An undefined action shows a label that cannot be chosen. */
type Items = Record<string, (() => void) | undefined>;

/**
 * Returns a button that opens a menu. Arrow keys move in it, and Escape closes it.
 * @param groups returns the items by the name of their group, which may be ""; called when the menu opens
 */
export function cellMenu(label: string, groups: () => Record<string, Items>): HTMLElement {
  const item = ([name, act]: [string, (() => void) | undefined]) => {
    const onclick = () => {
      menu.hidePopover();
      act?.();
    };
    return html`<button type="button" class="quiet" role="menuitem" disabled=${!act} onclick=${onclick}>${name}</button>`;
  };
  const ontoggle = ({ newState }: ToggleEvent) => {
    button.ariaExpanded = String(newState === "open");
    if (newState !== "open") return;
    const sections = Object.entries(groups()).map(
      ([name, items]) => html`<div role="group" aria-label=${name || label}>
        ${name && html`<span class="cell-menu-group">${name}</span>`}${Object.entries(items).map(item)}
      </div>`,
    );
    menu.replaceChildren(...sections);
    // In the top layer, so that nothing clips it; in coordinates of the page, so that it scrolls along.
    const { left, top, bottom } = button.getBoundingClientRect();
    const hasRoom = bottom + menu.offsetHeight < innerHeight || top < menu.offsetHeight;
    const most = document.documentElement.clientWidth - menu.offsetWidth - 8;
    menu.style.left = `${Math.max(8, Math.min(left, most)) + scrollX}px`;
    menu.style.top = `${(hasRoom ? bottom + 2 : top - 2 - menu.offsetHeight) + scrollY}px`;
    menu.querySelector<HTMLElement>("button:enabled")?.focus({ preventScroll: true });
  };
  const onkeydown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const items = [...menu.querySelectorAll<HTMLElement>("button:enabled")];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    if (event.key === "Tab") menu.hidePopover();
    if (!(event.key in steps)) return;
    event.preventDefault();
    items.at(steps[event.key] % items.length)?.focus();
  };
  const menu = html<HTMLElement>`<div popover role="menu" class="cell-menu" aria-label=${label} ontoggle=${ontoggle} onkeydown=${onkeydown}></div>`;
  const button = html<HTMLButtonElement>`<button type="button" class="quiet" aria-haspopup="menu" aria-expanded="false">${label} ▾</button>`;
  button.popoverTargetElement = menu;
  return html`<span>${button}${menu}</span>`;
}
