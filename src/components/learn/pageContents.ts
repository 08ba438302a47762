import { element } from "../element.js";

/** Links to the page's sections, each with those within it. */
export function pageContents(): HTMLElement {
  const list = element("ul");
  let within: HTMLElement = list;
  for (const heading of document.querySelectorAll<HTMLElement>("#observablehq-main :is(h2, h3)[id]")) {
    const item = element("li", {}, element("a", { href: `#${heading.id}` }, heading.textContent ?? ""));
    if (heading.localName === "h3") within.append(item);
    else {
      within = element("ul");
      item.append(within);
      list.append(item);
    }
  }
  return element("nav", { class: "page-contents", "aria-label": "Sections of this page" }, list);
}
