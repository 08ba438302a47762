import { element } from "../components/page/element.js";

/** What leads from a run's report to the page that sets runs side by side. */
export function compareLink(name: string): HTMLElement {
  const href = `../compare?run=${encodeURIComponent(name)}`;
  return element("a", { class: "needs-script", href }, "Compare with other runs.");
}
