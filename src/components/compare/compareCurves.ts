import { element } from "../element.js";
import type { PlainChart } from "../plainChart.js";
import { againstSwitch } from "../runs/againstSwitch.js";
import { type CurvesView, type NamedCurve, runCurves } from "../runs/runCurves.js";
import type { Against } from "../runs/runLines.js";
import { shortListCurves } from "../runs/shortListCurves.js";
import type { ComparedRun } from "./comparedRun.js";
import type { Comparison } from "./comparison.js";
import { forChosen, partsOf } from "./forChosen.js";

/** PSNR and loss of the chosen runs, over steps or seconds. */
export function compareCurves(comparison: Comparison): HTMLElement {
  return curvesFigure(comparison, (view) => [runCurves("psnr", view), runCurves("loss", view)], "one-line");
}

/** How long the short-lists of the chosen runs were, and a table of them at the last step. */
export function compareShortLists(comparison: Comparison): HTMLElement {
  const chart = curvesFigure(comparison, (view) => [shortListCurves(view)], "two-lines");
  const table = forChosen(comparison, 100, async (chosen) => {
    const curves = await partsOf(comparison, chosen, "curve");
    if (!curves.some(Boolean)) return undefined;
    const heads = ["run", "mean length", "longest", "tiles over the limit", "most passes of a tile"];
    const rows = chosen.map(({ name }, place) => {
      const last = curves[place]?.points.at(-1)?.shortLists;
      const { mean, longest, overflowing, passes } = last ?? {};
      const cells = [mean?.toFixed(1), longest, overflowing, passes].map((value) =>
        value === undefined ? "–" : String(value),
      );
      return element(
        "tr",
        { "data-run": place + 1 },
        element("th", { scope: "row" }, name),
        ...cells.map((text) => element("td", { class: "number" }, text)),
      );
    });
    return element(
      "div",
      { class: "table-scroll", tabindex: 0, role: "region", "aria-label": "Short-lists, scrolls sideways" },
      element(
        "table",
        { class: "short-list-table" },
        element(
          "thead",
          {},
          element("tr", {}, ...heads.map((head, i) => element("th", { scope: "col", class: i > 0 && "number" }, head))),
        ),
        element("tbody", {}, ...rows),
      ),
    );
  });
  return element("div", {}, chart, table);
}

function curvesFigure(
  comparison: Comparison,
  chartsOf: (view: () => CurvesView) => PlainChart[],
  kind: "one-line" | "two-lines",
): HTMLElement {
  let against: Against = "step";
  let runs: NamedCurve[] = [];
  const charts = chartsOf(() => ({ runs, against }));
  const grid = element("div", { class: `chart-grid by-run ${kind}` }, ...charts);
  const choice = againstSwitch((next) => {
    against = next;
    for (const chart of charts) chart.refresh();
  });
  const drawn = forChosen(comparison, 330, async (chosen: readonly ComparedRun[]) => {
    const curves = await partsOf(comparison, chosen, "curve");
    runs = chosen.map(({ name, config }, i) => ({ name, config, points: curves[i]?.points ?? [] }));
    if (!curves.some(Boolean)) return undefined;
    // Charts that stand already are drawn anew; others are when they come to the page.
    for (const chart of charts) chart.refresh();
    return grid;
  });
  return element("div", { class: "compare-curves" }, choice, drawn);
}
