import * as Plot from "@observablehq/plot";
import { parameterCount, rawNames, uniformGenerator } from "../../../engine/blobs.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { element, setText } from "../../element.js";
import { count, counted } from "../../format.js";
import type { Lab } from "../../lab/lab.js";
import { plainChart } from "../../plainChart.js";
import { whenSeen } from "../../seen.js";
import { button, choice, typedField, wrongPlace } from "../controls.js";
import { facts } from "../facts.js";
import { learnFigure } from "../learnFigure.js";
import { numberText } from "../numberText.js";
import { blobsOf, pixelGradients, steepestBlob, tileStep, tilesOf } from "./pixelGradients.js";
import { newRace, type Race, runOnCpu, runOnGpu, type Spread, spreadOf } from "./raceModel.js";
import { stepTaker, type TakenStep } from "./stepTaker.js";

const tiles: Record<string, [number, number]> = { "8×8": [8, 8], "4×4": [4, 4], "2×2": [2, 2] };
const chartHeight = 300;
/** Bars at most; more results share bars. */
const mostBars = 60;
const rows = ["in the order of arrival", "in a fixed order"] as const;
/** Milliseconds that a batch of runs should take. */
const batchTime = 80;

/** What the figure begins with. */
export interface RaceOptions {
  runs?: number;
  /** A side of the tiles that each add their sum: 8, 4 or 2 pixels. */
  tile?: 8 | 4 | 2;
  field?: number;
}

/**
 * The same sum, again and again: a blob's gradient out of a training step of the lab's run, its tiles added in the order
 * in which the GPU's workgroups arrive, and beside it in a fixed order.
 */
export function raceFigure(
  engine: BrowserEngine,
  lab: Lab,
  { runs: firstRuns = 1000, tile: firstTile = 4, field: firstField = 5 }: RaceOptions = {},
): HTMLElement {
  let field = firstField;
  let taken: TakenStep | undefined;
  let blob = 0;
  let race: Race | undefined;
  /** Counts what was begun; who is not the latest ends. */
  let begun = 0;
  let seen = false;
  const random = uniformGenerator(11);

  const names = Array.from(
    { length: parameterCount },
    (_, f) => [String(f), rawNames(lab.run?.config.parameterization ?? "smoothstep")[f]] as const,
  );
  const parameter = choice("Raw parameter", names, String(firstField), (value) => {
    field = Number(value);
    chooseBlob();
  });
  const size = choice<string>("Tiles that add", Object.keys(tiles), `${firstTile}×${firstTile}`, () => void start());
  const counts = [...new Set([100, 1000, 5000, firstRuns])].sort((a, b) => a - b);
  const runs = choice(
    "Runs",
    counts.map((n) => [String(n), count(n)] as const),
    String(firstRuns),
    () => void start(),
  );
  const wrong = wrongPlace();
  const takeBlob = (text: string) => {
    const blobs = taken ? taken.parameters.length / parameterCount : 0;
    const next = Number(text.trim() || Number.NaN);
    if (!Number.isInteger(next) || next < 0 || next >= blobs) {
      throw new RangeError(`The blob must be a whole number from 0 to ${blobs - 1}.`);
    }
    blob = next;
    void start();
  };
  const blobField = typedField("Blob", takeBlob, { wrong });
  blobField.box.inputMode = "numeric";
  blobField.box.classList.add("number-box");
  const stop = element("button", { type: "button", disabled: true, onclick: () => end() }, "Stop");
  const again = button("Run again", () => void start());
  const progress = element("progress", { max: 1, value: 0, "aria-label": "Runs done" });
  const whose = element("p", { class: "figure-note race-whose", "aria-live": "polite" });
  const numbers = facts(
    "runs",
    "exact sum",
    "results by arrival",
    "furthest off",
    "results in fixed order",
    "how far off",
  );
  const chart = plainChart(
    "Distance of each run’s sum from the exact sum",
    chartHeight,
    ({ width }) => race && drawRace(race, width),
  );

  const chooseBlob = () => {
    if (!taken) return;
    blob = steepestBlob(taken, field);
    void start();
  };
  const end = () => {
    begun++;
    stop.disabled = true;
  };
  const start = async () => {
    if (!taken || !seen) return;
    begun++;
    const mine = begun;
    const isLatest = () => mine === begun && node.isConnected;
    blobField.set(String(blob));
    stop.disabled = false;
    const from = taken;
    const [w, h] = tiles[size.value];
    const step = { ...from, ...tileStep(from, [w, h]) };
    const meets = tilesOf(step, blob);
    const values = new Float32Array(w * h * meets.length);
    for (const [k, tile] of meets.entries()) {
      values.set(pixelGradients(step, tile, field).get(blob)!, k * w * h);
      if (k % 8 === 7) await pause();
      if (!isLatest()) return;
    }
    const name = rawNames(from.config.parameterization)[field];
    if (!values.some((value) => value !== 0)) {
      stop.disabled = true;
      return setText(wrong, `Blob ${blob} has no gradient of ${name} at this step; choose another one.`);
    }
    const gpu = await pageGpu(engine);
    const largest = from.config.parameterization === "smoothstep" ? 10 : Number.POSITIVE_INFINITY;
    const mineRace = newRace({ values, threads: w * h, tiles: meets.length }, largest);
    if (!isLatest()) return;
    race = mineRace;
    const adds = race.tileSums.filter((sum) => sum !== 0).length;
    const where = gpu
      ? `on ${gpu.description}, by the kernel’s own treeReduce and atomicAccumulate`
      : "in a model on the CPU, in float32 and in orders drawn by lot, since there is no GPU on this page";
    setText(
      whose,
      `The gradient of ${name} of blob ${blob} at step ${count(from.step + 1)}: ${counted(meets.length, "tile")} of ${size.value} pixels meet it, and ${count(adds)} have something to add, ${where}.`,
    );
    const wanted = Number(runs.value);
    try {
      let batch = 8;
      let shownAt = performance.now();
      while (race.raced.length < wanted) {
        const begin = performance.now();
        const some = Math.min(batch, wanted - race.raced.length);
        if (gpu) await runOnGpu(mineRace, gpu, some);
        else runOnCpu(mineRace, some, random);
        if (!isLatest()) return show(mineRace, wanted);
        const took = performance.now() - begin;
        batch = Math.max(1, Math.min(4 * batch, Math.floor((some * batchTime) / Math.max(took, 1)), 4096));
        progress.value = race.raced.length / wanted;
        if (performance.now() - shownAt > 250) {
          show(mineRace, wanted);
          shownAt = performance.now();
        }
        await pause();
        if (!isLatest()) return show(mineRace, wanted);
      }
      show(mineRace, wanted);
      stop.disabled = true;
    } catch (error) {
      setText(wrong, `The kernel did not run: ${(error as Error).message}`);
      stop.disabled = true;
    }
  };
  const show = (shown: Race, wanted: number) => {
    if (shown !== race || shown.raced.length === 0) return;
    const { raced, fixed, exact } = shown;
    progress.value = raced.length / wanted;
    const [free, ordered] = [spreadOf(raced, exact), spreadOf(fixed, exact)];
    numbers.set({
      runs: `${count(raced.length)} of ${count(wanted)}`,
      "exact sum": numberText(exact, 8),
      "results by arrival": count(free.distinct),
      "furthest off": distance(free),
      "results in fixed order": count(ordered.distinct),
      "how far off": distance(ordered),
    });
    chart.refresh();
  };

  const taker = stepTaker(lab, (next) => {
    taken = next;
    const tiled = tileStep(next, [8, 8]);
    // Among the steep ones, one that many tiles add to.
    const steep = Array.from({ length: tiled.lists.offsets.length - 1 }, (_, t) => blobsOf(tiled.lists, t));
    const meets = new Map<number, number>();
    for (const list of steep) for (const i of list) meets.set(i, (meets.get(i) ?? 0) + 1);
    const blobs = next.parameters.length / parameterCount;
    const size = (i: number) => Math.abs(next.gradients[field * blobs + i]);
    const limit = 0.1 * size(steepestBlob(next, field));
    blob = [...meets].filter(([i]) => size(i) >= limit).sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
    void start();
  });
  const node = learnFigure(
    {
      title: "The same sum, a thousand times",
      alt: "Two histograms over the distance from the exact sum: sums in the order of arrival spread over several values, those in a fixed order are all the same.",
      note: "One unit is the distance between neighbouring float32 numbers at the exact sum. The exact sum is that of the same float32 gradients in float64. Smaller tiles mean more, smaller parts that race.",
      isWide: true,
    },
    taker,
    element("div", { class: "learn-controls" }, parameter.node, blobField.node, size.node, runs.node, again, stop),
    wrong,
    whose,
    progress,
    chart,
    numbers.node,
  );
  whenSeen(node, () => {
    seen = true;
    void start();
  });
  return node;
}

/** Lets the page do what waits. */
function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

function distance({ furthestUnits }: Spread): string {
  return `${numberText(furthestUnits, 2)} units`;
}

function drawRace({ raced, fixed, exact }: Race, width: number): Element | undefined {
  if (raced.length === 0) return undefined;
  const spreads = [spreadOf(raced, exact), spreadOf(fixed, exact)];
  const all = spreads.flatMap(({ counts }) => counts.map(({ units }) => units));
  const low = Math.floor(Math.min(0, ...all)) - 1;
  const high = Math.ceil(Math.max(0, ...all)) + 1;
  // Bars of a whole number of units, around whole numbers.
  const bar = Math.ceil((high - low) / mostBars);
  const bars = spreads.flatMap(({ counts }, row) => {
    const byBar = new Map<number, number>();
    for (const { units, runs } of counts) {
      const at = Math.floor((units - low + bar / 2) / bar);
      byBar.set(at, (byBar.get(at) ?? 0) + runs);
    }
    return [...byBar].map(([at, runs]) => {
      const x1 = low + at * bar - bar / 2;
      return { x1, x2: x1 + bar, runs, order: rows[row] };
    });
  });
  const most = bars.reduce((top, { runs }) => Math.max(top, runs), 0);
  const ticks = [0, 20, 100, 300, 1000, 5000].filter((tick) => tick <= most);
  return Plot.plot({
    width,
    height: chartHeight,
    marginLeft: 52,
    marginRight: 12,
    marginTop: 26,
    marginBottom: 40,
    x: {
      label: "distance from the exact sum, units in the last place →",
      domain: [low - bar, high + bar],
      nice: false,
    },
    y: { label: "↑ runs (square-root scale)", type: "sqrt", grid: true, ticks },
    fy: { label: null, domain: rows, axis: null, padding: 0.22 },
    marks: [
      Plot.rectY(bars, {
        fy: "order",
        x1: "x1",
        x2: "x2",
        y: "runs",
        fill: (d: { order: string }) => (d.order === rows[0] ? "var(--run-2)" : "var(--run-1)"),
        insetLeft: 0.5,
        insetRight: 0.5,
        title: (d: { x1: number; runs: number }) => `${d.runs} runs near ${d.x1 + bar / 2}`,
      }),
      Plot.ruleX([0], { stroke: "currentColor", strokeDasharray: "3 3" }),
      Plot.ruleY([0]),
      Plot.text(rows, {
        fy: (d: string) => d,
        text: (d: string) => d,
        frameAnchor: "top-right",
        dy: -14,
        fontWeight: 600,
      }),
    ],
  });
}
