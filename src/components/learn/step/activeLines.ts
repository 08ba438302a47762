/** Brings the active lines of long excerpts into sight, each within its own box, whenever others become active. */
export function keepActiveInSight(node: HTMLElement): void {
  const scroll = () => {
    for (const pre of node.querySelectorAll("pre")) {
      const line = pre.querySelector<HTMLElement>(".active");
      if (!line || pre.scrollHeight <= pre.clientHeight) continue;
      const top = line.offsetTop - pre.offsetTop;
      const isInSight = top >= pre.scrollTop && top + line.offsetHeight <= pre.scrollTop + pre.clientHeight;
      if (!isInSight) pre.scrollTop = top - pre.clientHeight / 2;
    }
  };
  const changes = { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-current"] };
  new MutationObserver(() => requestAnimationFrame(scroll)).observe(node, changes);
}
