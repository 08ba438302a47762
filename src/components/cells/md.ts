/**
 * Returns Markdown as an element, with the values of its expressions: elements, or text.
 * @throws Error if the page's policy refuses its HTML
 */
export async function md(strings: TemplateStringsArray, ...values: unknown[]): Promise<HTMLElement> {
  const { default: MarkdownIt } = await import("markdown-it");
  const places = strings.map((text, i) => text + (i < values.length ? `<slot name="${i}"></slot>` : ""));
  const node = document.createElement("div");
  node.className = "markdown-cell";
  node.innerHTML = MarkdownIt({ html: true, linkify: true }).render(places.join(""));
  for (const place of node.querySelectorAll("slot")) {
    const parts = [values[Number(place.name)]].flat();
    place.replaceWith(...parts.map((part) => (part instanceof Node ? part : String(part))));
  }
  return node;
}
