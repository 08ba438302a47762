import { html } from "htl";

/** Returns a link from a run's report to the Compare page. */
export function compareLink(name: string): HTMLElement {
  return html`<a class="needs-script on-screen" href=${`../compare.html?run=${encodeURIComponent(name)}`}>Compare with other runs.</a>`;
}
