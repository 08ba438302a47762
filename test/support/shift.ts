/**
 * Runs in each page before its own script: warns on the console if the layout shifts while the page loads and trains.
 * It stops at the first input, which may move content.
 */
export const watchShift = `(() => {
  let sum = 0;
  const shifts = [];
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
      shifts.push(value.toFixed(3) + " (" + sources.map(placeOf).join(", ") + ")");
    }
    if (sum < 0.05) return;
    observer.disconnect();
    console.warn("What the page shows moves by itself, by " + sum.toFixed(3) + " of 0.05: " + shifts.join("; "));
  });
  observer.observe({ type: "layout-shift", buffered: true });
  for (const type of ["pointerdown", "keydown", "input", "change", "click", "resize"]) {
    addEventListener(type, () => observer.disconnect(), { capture: true, once: true });
  }
})()`;
