import { html } from "htl";
import { oneTabStop, showTabStop } from "../inputs/oneTabStop.js";

interface Tab {
  text: string;
  isChosen: boolean;
  choose(): void;
}

/** Tabs for files, one of which is chosen. */
type FileTabs = HTMLElement & {
  /** Replaces the tabs. If one of them had the focus, the chosen one has it next. */
  show(tabs: readonly Tab[]): void;
};

/** Returns an empty group of tabs, which is one tab stop. */
export function fileTabs(label: string): FileTabs {
  const node = html`<div class="row file-tabs" role="group" aria-label=${label}></div>`;
  oneTabStop(node);
  const show = (tabs: readonly Tab[]) => {
    const hasFocus = node.contains(document.activeElement);
    const buttons = tabs.map(
      ({ text, isChosen, choose }) =>
        html<HTMLButtonElement>`<button type="button" aria-pressed="${isChosen}" onclick=${choose}>${text}</button>`,
    );
    node.replaceChildren(...buttons);
    showTabStop(node);
    const chosen = buttons.find((_, i) => tabs[i].isChosen);
    if (!chosen) return;
    node.scrollTop = chosen.offsetTop - node.offsetTop;
    if (hasFocus) chosen.focus({ preventScroll: true });
  };
  return Object.assign(node, { show });
}
