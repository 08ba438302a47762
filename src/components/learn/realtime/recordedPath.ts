import { type ProgramName, programOf, programs } from "../../../engine/realtime/programs.js";
import type { RealtimeJob, RealtimeResult } from "../../../engine/realtime/realtimeResult.js";
import { element } from "../../element.js";
import { count, inWords } from "../../format.js";
import { radioRow } from "../controls.js";
import { learnFigure } from "../learnFigure.js";
import { factorsTable } from "./factorsTable.js";
import { timesChart } from "./timesChart.js";
import { wholeSeconds } from "./wholeTime.js";

/**
 * The same measurement as it was recorded on one adapter.
 * @param result data/bench/realtime.json; one without jobs where nothing is recorded
 */
export function recordedPath(result: RealtimeResult | { jobs: [] }): HTMLElement {
  const figure = {
    title: "The same, recorded",
    alt: "The time for 10,000 iterations of each program, as recorded on one adapter, and what tiles and the undo give.",
    isWide: true,
  };
  if (!isRecorded(result)) {
    return learnFigure(figure, element("p", { class: "race-status" }, "Nothing is recorded yet."));
  }
  let job = result.jobs[0];
  const words = element("p", { class: "learn-note" });
  const chart = timesChart(
    "Time for 10,000 iterations",
    () => programs,
    () =>
      job.times.map(({ name, median, min, max }) => ({
        program: programOf(name),
        seconds: wholeSeconds(median),
        low: wholeSeconds(min),
        high: wholeSeconds(max),
      })),
    "Filled: the blend is undone; open: its states are kept. A bar spans the rounds. Diamonds: what the articles report of machines of theirs.",
  );
  const factors = element("div", { class: "race-factors" });
  const show = (chosen: RealtimeJob) => {
    job = chosen;
    const medians = job.times.map(({ name, median }): [ProgramName, number] => [name, wholeSeconds(median)]);
    factors.replaceChildren(factorsTable(Object.fromEntries(medians)));
    words.textContent = wordsOf(job, result);
    chart.refresh();
  };
  const jobs = result.jobs.map((each) => [each, `${count(each.blobs)} blobs`] as const);
  const choices = radioRow("job", jobs, job, show);
  show(job);
  return learnFigure(figure, choices, element("div", { class: "recorded-columns" }, chart, factors), words);
}

function isRecorded(result: RealtimeResult | { jobs: [] }): result is RealtimeResult {
  return result.jobs.length > 0;
}

/** What the undo is worth in tiles, job by job, as a sentence; nothing where it was not recorded. */
export function undoSentence(result: RealtimeResult | { jobs: [] }): string {
  if (!isRecorded(result)) return "";
  const gains = result.jobs.flatMap(({ blobs, times }) => {
    const [kept, undone] = ["tiles-kept", "tiles-undo"].map((name) => times.find((time) => time.name === name)?.median);
    return kept && undone ? [`${(kept / undone).toFixed(2)} × at ${count(blobs)} blobs`] : [];
  });
  return `On the adapter that was recorded below, the undo makes the tiles ${new Intl.ListFormat("en").format(gains)} as fast.`;
}

function wordsOf(job: RealtimeJob, { adapter, date, image, versions }: RealtimeResult): string {
  const { blobs, width, height, tile, gaussiansPerBlock, startStep, pairs, times } = job;
  const overflow = pairs.overflowing === 0 ? "none overflows" : `${count(pairs.overflowing)} of them overflow`;
  const left = programs.filter(({ name }) => !times.some((time) => time.name === name)).map(({ title }) => title);
  return [
    `${count(blobs)} blobs on ${width} × ${height} pixels of ${image.name}, tiles of ${tile.join(" × ")}, GAUSSIANS_PER_BLOCK ${gaussiansPerBlock}; each round begins after step ${count(startStep)}.`,
    `There the programs without tiles go through ${inWords(pairs.all)} pairs, those with tiles through ${inWords(pairs.listed)}, and ${inWords(pairs.blended)} are blended.`,
    `The longest of ${count(pairs.tiles)} short-lists holds ${count(pairs.longest)} blobs, and ${overflow}.`,
    left.length > 0 && `Not measured, since it cannot hold the job or would take minutes: ${left.join(", ")}.`,
    `Recorded on ${date.slice(0, 10)} on ${adapter}, through Dawn${versions.webgpu ? ` (webgpu ${versions.webgpu})` : ""}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
