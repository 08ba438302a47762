import { element } from "../page/element.js";
import type { Notebook } from "./notebook.js";
import { describeValue } from "./values.js";

/** Milliseconds after which what is shown is looked at again. */
const interval = 1000;

/** What names a page has, and what they hold now: what a cell of the reader's own can use. */
export function namesPanel(notebook: Notebook): HTMLElement {
  const list = element("dl");
  const show = () => {
    const entries = [...notebook.values()].filter(([, value]) => typeof value !== "function");
    const rows = entries
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, value]) =>
        element("div", {}, element("dt", {}, element("code", {}, name)), element("dd", {}, describeValue(value))),
      );
    list.replaceChildren(...rows);
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  const ontoggle = () => {
    clearInterval(timer);
    if (!panel.open) return;
    show();
    timer = setInterval(() => (panel.isConnected ? show() : clearInterval(timer)), interval);
  };
  const summary = element("summary", {}, "Names to use in a cell");
  const panel = element("details", { class: "cell-names", ontoggle }, summary, list);
  return panel;
}
