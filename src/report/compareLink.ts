import { element } from "../components/page/element.js";

/** Returns a link from a run's report to the Compare page. */
export function compareLink(name: string): HTMLElement {
  const href = `../compare?run=${encodeURIComponent(name)}`;
  return element("a", { class: "needs-script", href }, "Compare with other runs.");
}
