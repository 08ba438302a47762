import * as Plot from "@observablehq/plot";
import { completeConfig } from "../../../engine/config.js";
import { initialState } from "../../../engine/initialState.js";
import { type EvaluatedPairs, keptBytes } from "../../../engine/realtime/evaluatedPairs.js";
import { programOf } from "../../../engine/realtime/programs.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { backstage } from "../../backstage.js";
import { element, setText } from "../../element.js";
import { bytesText, count, prefixed } from "../../format.js";
import { pipelineMark } from "../../pipelineMarks.js";
import { plainChart } from "../../plainChart.js";
import { whenSeen } from "../../seen.js";
import { learnFigure } from "../learnFigure.js";
import { pageRace } from "./pageRace.js";
import { pairsText } from "./pairsText.js";
import type { Race } from "./race.js";

/** Milliseconds between two counts. */
const interval = 3000;

/** What the bars are, from all pairs to those that have to be blended. */
const bars: { pairs: keyof EvaluatedPairs; label: string; color: string }[] = [
  { pairs: "all", label: "every blob", color: pipelineMark("simple").color },
  { pairs: "listed", label: "on the tile's list", color: pipelineMark("tiled").color },
  { pairs: "met", label: "meets the 8 × 4 pixels", color: pipelineMark("binned").color },
  { pairs: "supported", label: "its ellipse holds the pixel", color: "var(--earlier)" },
  { pairs: "blended", label: "and is not hidden", color: "var(--earlier)" },
];

/**
 * How many pairs of a pixel and a blob each program goes through in a step, counted on the lists of the race's job, and
 * the bytes of the states that it keeps.
 */
export function lengthFigure(engine: BrowserEngine, { race = pageRace(engine) }: { race?: Race } = {}): HTMLElement {
  let counted: { pairs: EvaluatedPairs; pixels: number } | undefined;
  const words = element("p", { class: "race-status", role: "status" }, "Counting.");
  const facts = element("dl", { class: "learn-facts length-facts" });
  const chart = plainChart("Pairs of a pixel and a blob in a step, one way", 34 * bars.length + 56, (frame) => {
    if (!counted) return undefined;
    const { pairs, pixels } = counted;
    const rows = bars.map((bar) => ({ ...bar, value: pairs[bar.pairs] }));
    type Row = (typeof rows)[number];
    const text = ({ value }: Row) =>
      frame.width < 480 ? pairsText(value) : `${pairsText(value)}, ${aPixel(value / pixels)} a pixel`;
    return Plot.plot({
      ...frame,
      marginLeft: 158,
      marginRight: frame.width < 480 ? 76 : 178,
      marginTop: 6,
      marginBottom: 42,
      style: { fontSize: "12px" },
      ariaLabel: "Pairs of a pixel and a blob that a step goes through, one way",
      x: { label: "pairs →", grid: true, ticks: 4, tickFormat: pairsTick },
      y: { label: null, domain: rows.map(({ label }) => label), tickSize: 0 },
      marks: [
        Plot.barX(rows, { x: "value", y: "label", fill: "color", insetTop: 4, insetBottom: 4 }),
        Plot.text(rows, { x: "value", y: "label", text, textAnchor: "start", dx: 6 }),
        Plot.ruleX([0]),
      ],
    });
  });
  const draw = (step: number) => {
    if (!counted) return;
    const { pairs, pixels } = counted;
    const { blobs, tile, gaussiansPerBlock } = race.job;
    const when = step === 0 ? "at their random start" : `after ${count(step)} steps of the race`;
    setText(
      words,
      `${count(blobs)} blobs ${when}, ${count(pixels)} pixels, ${count(pairs.tiles)} tiles of ${tile.join(" × ")}.`,
    );
    const fact = (name: string, value: string) => [element("dt", {}, name), element("dd", {}, value)];
    const rows: [string, string][] = [
      ["longest short-list", `${count(pairs.longest)} of ${count(gaussiansPerBlock)}`],
      ["tiles that overflow", count(pairs.overflowing)],
      ["states kept, every blob", bytesText(keptBytes(programOf("every-kept"), pairs))],
      ["states kept, tiles", bytesText(keptBytes(programOf("tiles-kept"), pairs))],
      ["kept for the undo", bytesText(20 * pixels)],
    ];
    facts.replaceChildren(...rows.map(([name, value]) => element("div", {}, ...fact(name, value))));
    chart.refresh();
  };

  let asked: { job: unknown; trained: unknown; at: number } | undefined;
  /** Counts anew where the job or its blobs are other ones. */
  const update = async () => {
    const { job, trained } = race;
    const isSame = asked?.job === job && asked.trained === trained;
    if (isSame || (asked?.job === job && trained && performance.now() - asked.at < interval)) return;
    const own = { job, trained, at: performance.now() };
    asked = own;
    try {
      const target = await race.picture();
      const { width, height } = target;
      const { blobs, tile, gaussiansPerBlock } = job;
      const config = completeConfig({ blobs, tile, gaussiansPerBlock });
      const parameters = trained?.parameters ?? initialState(config, target).parameters;
      const pairs = await backstage("countEvaluatedPairs", config, parameters, { width, height });
      if (asked !== own) return;
      counted = { pairs, pixels: width * height };
      draw(trained?.step ?? 0);
    } catch (error) {
      setText(words, error instanceof Error ? error.message : String(error));
    }
  };
  const node = learnFigure(
    {
      title: "Why: what a step looks at",
      alt: "A bar for each way to find the blobs of a pixel, from every blob down to those that are blended, with the number of pairs of a pixel and a blob.",
      note: "Counted on the short-lists of the job above, at its start and then as the race trains it. The first bar is what both programs without tiles go through, the second what both with tiles do, the third what binned does at most, and the last two what is needed, whoever computes. The way back goes through the same pairs again.",
    },
    words,
    chart,
    facts,
  );
  whenSeen(node, () => {
    void update();
    const ignore = race.observe(() => (node.isConnected ? void update() : ignore()));
  });
  return node;
}

function pairsTick(pairs: number): string {
  return prefixed(pairs).trim();
}

/** A mean with as many digits as tell something. */
function aPixel(pairs: number): string {
  return pairs >= 100 ? count(pairs) : String(Number(pairs.toPrecision(2)));
}
