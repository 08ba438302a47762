import * as Plot from "@observablehq/plot";
import { element, setText } from "../../element.js";
import { count, counted } from "../../format.js";
import { plainChart } from "../../plainChart.js";
import { learnFigure } from "../learnFigure.js";
import { numberText, powerOfTen, tickText } from "../numberText.js";
import { type CeilingErrors, ceilingErrors, stacks } from "./ceilingModel.js";

const ceilings = [
  { value: 0.9, name: "0.9" },
  { value: 0.99, name: "0.99" },
  { value: 0.999, name: "0.999" },
  { value: 0.9999, name: "0.9999" },
  { value: 1 - 1e-5, name: "1 − 10⁻⁵" },
  { value: 1 - 1e-6, name: "1 − 10⁻⁶" },
  { value: 1, name: "1, no ceiling" },
];
const lines = [
  { key: "apart", name: "α one rounding apart on the way back", color: "var(--run-2)", dash: undefined },
  { key: "forward", name: "the way forward, against float64", color: "var(--run-3)", dash: "6 4" },
  { key: "same", name: "the same α both ways", color: "var(--run-1)", dash: undefined },
] as const;

/**
 * What the ceiling of α is for: the error of undoing made-up stacks, by the largest α in them.
 * @param options with how many blobs in a stack, and with which ceiling, it begins
 */
export function ceilingFigure({ blobs = 12, ceiling = 0.99 }: { blobs?: number; ceiling?: number } = {}): HTMLElement {
  let hasStop = true;
  let chosen = ceiling;
  const blobsText = element("span", { class: "value" });
  const slider = element("input", {
    type: "range",
    min: 1,
    max: 60,
    step: 1,
    value: blobs,
    oninput: () => {
      blobs = slider.valueAsNumber;
      refresh();
    },
  });
  const stop = element("input", {
    type: "checkbox",
    checked: true,
    onchange: () => {
      hasStop = stop.checked;
      refresh();
    },
  });
  const select = element(
    "select",
    {
      onchange: () => {
        chosen = Number(select.value);
        refresh();
      },
    },
    ...ceilings.map(({ value, name }) => element("option", { value, selected: value === ceiling }, name)),
  );
  const words = element("p", { class: "over-verdict", "aria-live": "polite" });
  const chart = plainChart("Worst error of T, by the largest α", 260, (frame) => {
    const points = ceilings
      .filter(({ value }) => value < 1)
      .map(({ value }) => ({ value, ...worstOf(ceilingErrors({ blobs, ceiling: value, hasStop })) }));
    return Plot.plot({
      ...frame,
      marginLeft: 54,
      marginTop: 24 + 16 * lines.length,
      marginBottom: 40,
      style: { fontSize: "12px" },
      ariaLabel: "The worst error of T against 1/(1 − α) of the largest α, in three ways",
      x: {
        type: "log",
        domain: [8, 1.3e6],
        label: "1/(1 − largest α) →",
        ticks: [10, 100, 1e3, 1e4, 1e5, 1e6],
        tickFormat: (value: number) => powerOfTen(Math.round(Math.log10(value))),
      },
      y: {
        type: "log",
        domain: [1e-8, 1],
        label: "↑ error of T, as a share of T",
        ticks: [1e-8, 1e-6, 1e-4, 1e-2, 1],
        tickFormat: (value: number) => (value === 1 ? "1" : tickText(value)),
        grid: true,
      },
      marks: [
        chosen < 1
          ? Plot.ruleX([1 / (1 - chosen)], { stroke: "var(--current)", strokeOpacity: 0.35, strokeWidth: 6 })
          : null,
        lines.map(({ key, color, dash }) => {
          const channels = {
            x: ({ value }: { value: number }) => 1 / (1 - value),
            y: (d: CeilingErrors) => Math.max(d[key], 1e-8),
          };
          return [
            Plot.line(points, { ...channels, stroke: color, strokeWidth: 2, strokeDasharray: dash, clip: true }),
            Plot.dot(points, { ...channels, fill: color, r: 3, clip: true }),
          ];
        }),
        lines.map(({ name, color, dash }, at) =>
          Plot.text([0], {
            frameAnchor: "top-left",
            dy: -16 * (lines.length - at) - 2,
            fill: color,
            fontWeight: 600,
            text: () => `${dash ? "- -" : "—"} ${name}`,
          }),
        ),
      ],
    });
  });
  const refresh = () => {
    setText(blobsText, String(blobs));
    const errors = ceilingErrors({ blobs, ceiling: chosen, hasStop });
    const lost = errors.filter(({ same }) => !Number.isFinite(same)).length;
    const { same, apart, forward } = worstOf(errors);
    const name = ceilings.find(({ value }) => value === chosen)!.name;
    setText(
      words,
      lost > 0
        ? `With a largest α of ${name}: ${count(lost)} of ${stacks} stacks of ${counted(blobs, "blob")} have no way back, since 1 − α is 0 or T has become 0, and 0 ÷ 0 is no number.`
        : `With a largest α of ${name}, the worst of ${stacks} stacks of ${counted(blobs, "blob")}: ${numberText(same, 3)} with the same α, ${numberText(apart, 3)} with one that is a rounding apart; the way forward is ${numberText(forward, 3)} from float64.`,
    );
    chart.refresh();
  };
  const figure = learnFigure(
    {
      title: "What the ceiling of α is for",
      alt: "The error of undoing against the largest α: level where α is the same both ways, and growing as 1/(1 − α) where it differs in its last bit.",
      note: "Each stack has random blobs and one of the largest α. Raise the ceiling, and take the stop at T < 1/255 away.",
    },
    element(
      "div",
      { class: "learn-controls" },
      element("label", {}, "Largest α", select),
      element("label", {}, element("span", {}, "Blobs in a stack: ", blobsText), slider),
      element("label", { class: "check" }, stop, "Stop below T = 1/255"),
    ),
    words,
    chart,
  );
  refresh();
  return figure;
}

/** The largest of each; those that are no numbers are told apart. */
function worstOf(errors: CeilingErrors[]): CeilingErrors {
  const most = (key: keyof CeilingErrors) => Math.max(0, ...errors.map((error) => error[key]).filter(Number.isFinite));
  return { same: most("same"), apart: most("apart"), forward: most("forward") };
}
