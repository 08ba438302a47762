import { html } from "htl";
import * as Plot from "../../figures/plot.js";
import { linkThings } from "../../figures/pointing.js";
import { laneLines } from "./laneLines.js";
import type { SharedVariable, Use } from "./variableUses.js";

/** A variable: its name, a note below it, and the names that link it with other figures. */
export interface Lane {
  name: string;
  note?: string | undefined;
  things: string[];
}

/** A stage that reads and writes variables. */
export interface LaneStage extends Lane {
  uses: { variable: SharedVariable; use: Use }[];
}

export interface LaneChartOptions {
  label: string;
  stages: LaneStage[];
  lanes: Lane[];
  /** Whether the first stage follows the last one. */
  isCycle: boolean;
  /** Name of the highlighted stage, and what a click on another one does. */
  chosen: string;
  choose: (stage: string) => void;
}

/** Returns a chart of stages from left to right, with a lane per shared variable and the stages that read and write it. */
export function laneChart({ label, stages, lanes, isCycle, chosen, choose }: LaneChartOptions): HTMLElement {
  const rows = lanes.map(({ name }) =>
    stages.map(({ uses }) => uses.find(({ variable }) => variable.name === name)?.use),
  );
  const lines = rows.flatMap((uses, lane) => laneLines(uses, isCycle).map((line) => ({ ...line, lane })));
  const uses = rows.flatMap((uses, lane) => uses.flatMap((use, stage) => (use ? [{ use, lane, stage }] : [])));
  const stems = stages.map((_, stage) =>
    Math.max(-1, ...uses.filter((entry) => entry.stage === stage).map(({ lane }) => lane)),
  );
  const lineOptions = { x1: "from", x2: "to", strokeWidth: 2 };
  const glyphs = (kind: string, text: string, fill: string) => {
    const shown = uses.filter(({ use }) => use.includes(kind));
    const dx = kind === "reads" ? -7 : 7;
    return shown.map((entry) =>
      Plot.text([entry], {
        x: "stage",
        y: "lane",
        text: [text],
        fill,
        dx: entry.use === "reads and writes" ? dx : 0,
        fontSize: 15,
      }),
    );
  };
  const lane = (names: Lane[]) => ({
    ticks: names.map((_, at) => at),
    tickFormat: (at: number) => [names[at].name, names[at].note].filter(Boolean).join("\n"),
    tickSize: 0,
    lineHeight: 1.25,
    label: null,
  });
  const width = 150 + 140 * stages.length;
  const chart = Plot.plot({
    width,
    height: 60 + 38 * lanes.length,
    marginLeft: 135,
    marginTop: 42,
    marginBottom: 4,
    style: { fontSize: "12px" },
    ariaLabel: label,
    x: { domain: [-0.5, stages.length - 0.5], axis: null },
    y: { domain: [lanes.length - 0.5, -0.5], axis: null },
    marks: [
      Plot.axisX({ anchor: "top", ...lane(stages), className: "lane-stages" }),
      Plot.axisY({ anchor: "left", ...lane(lanes), className: "lane-names" }),
      Plot.rect(stages, {
        className: "lane-columns",
        x1: (_, at) => at - 0.48,
        x2: (_, at) => at + 0.48,
        fill: "var(--current)",
        fillOpacity: ({ name }) => (name === chosen ? 0.12 : 0),
      }),
      Plot.ruleX(stems, { x: (_, at) => at, y1: -0.5, y2: (lane) => lane, stroke: "var(--theme-foreground-fainter)" }),
      Plot.ruleY(
        lines.filter(({ isBack }) => !isBack),
        { ...lineOptions, y: "lane", stroke: "var(--theme-foreground-muted)" },
      ),
      Plot.ruleY(
        lines.filter(({ isBack }) => isBack),
        {
          ...lineOptions,
          y: ({ lane }) => lane + 0.16,
          stroke: "var(--overflow)",
          strokeDasharray: "5 4",
        },
      ),
      Plot.dot(uses, { x: "stage", y: "lane", r: 11, fill: "var(--theme-background)", className: "lane-uses" }),
      glyphs("reads", "▲", "var(--current)"),
      glyphs("writes", "▼", "var(--overflow)"),
    ],
  });
  const link = (selector: string, things: (at: number) => string[], click?: (at: number) => void) => {
    for (const [at, mark] of [...chart.querySelectorAll(selector)].entries()) {
      linkThings(mark, ...things(at));
      if (click) (mark as SVGElement).onclick = () => click(at);
    }
  };
  const chooseAt = (at: number) => choose(stages[at].name);
  link(".lane-stages text", (at) => stages[at].things, chooseAt);
  link(".lane-columns rect", (at) => stages[at].things, chooseAt);
  link(".lane-names text", (at) => lanes[at].things);
  link(".lane-uses circle", (at) => [...stages[uses[at].stage].things, ...lanes[uses[at].lane].things]);
  const legend = [
    "▲ the stage reads it",
    "▼ the stage writes it",
    "— to a later stage",
    isCycle ? "╌ to the next step" : "",
  ];
  return html`<div>
    <div class="learn-scroll lane-chart" tabindex="0" role="group" aria-label=${label}>${chart}</div>
    <p class="flow-key">${legend.filter(Boolean).map((text) => html`<span>${text}</span>`)}</p>
  </div>`;
}
