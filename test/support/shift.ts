/**
 * Runs in each page before its own script: has the page complain once what it shows has moved by itself, while it loads
 * and trains. What a reader does may move things, so nothing counts any more from there on.
 */
export const watchShift = `(() => {
  let sum = 0;
  const told = [];
  const placeOf = ({ node, previousRect, currentRect }) => {
    const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    const name = element && [element.localName, ...element.classList].join(".");
    const rectangle = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
    return name + " from " + rectangle(previousRect) + " to " + rectangle(currentRect);
  };
  const observer = new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      sum += value;
      told.push(value.toFixed(3) + " (" + sources.map(placeOf).join(", ") + ")");
    }
    if (sum < 0.05) return;
    observer.disconnect();
    console.warn("What the page shows moves by itself, by " + sum.toFixed(3) + " of 0.05: " + told.join("; "));
  });
  observer.observe({ type: "layout-shift", buffered: true });
  for (const type of ["pointerdown", "keydown", "input", "change", "click", "resize"]) {
    addEventListener(type, () => observer.disconnect(), { capture: true, once: true });
  }
})()`;
