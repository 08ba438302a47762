import { html } from "htl";
import type { Notebook } from "./notebook.js";
import { describeValue } from "./values.js";

/** Milliseconds between updates while the panel is open. */
const interval = 1000;

/** Returns a list, which opens, of the names that a reader's cell can use, each with a summary of its current value. */
export function namesPanel(notebook: Notebook): HTMLElement {
  const list = html`<dl></dl>`;
  const show = () => {
    const entries = [...notebook.values()].filter(([, value]) => typeof value !== "function");
    const rows = entries
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, value]) => html`<div><dt><code>${name}</code></dt><dd>${describeValue(value)}</dd></div>`);
    list.replaceChildren(...rows);
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  const ontoggle = () => {
    clearInterval(timer);
    if (!panel.open) return;
    show();
    timer = setInterval(() => (panel.isConnected ? show() : clearInterval(timer)), interval);
  };
  const panel = html<HTMLDetailsElement>`<details class="cell-names" ontoggle=${ontoggle}>
    <summary>Names to use in a cell</summary>${list}
  </details>`;
  return panel;
}
