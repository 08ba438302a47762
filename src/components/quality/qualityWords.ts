import type { Quality } from "../../engine/bench/qualityResult.js";
import { parameterCount } from "../../engine/model/blobs.js";
import { count, counted, decibels, signed } from "../page/format.js";
import type { Anchors } from "./anchors.js";
import { type Ablation, picturesOf, type Series } from "./qualityFacts.js";

/** "a, b and c". */
const list = new Intl.ListFormat("en-GB");

/** Of what the ablation's numbers are. */
export function ablationSentence({ ladder }: Ablation): string {
  const [first] = ladder;
  if (!first) return "This recording has no ablation.";
  const pictures = picturesOf(ladder);
  const sizes = [...new Set(first.runs.map(({ width, height }) => `${width} × ${height}`))];
  return `Each row was trained with ${counted(first.blobs, "blob")} for ${counted(first.steps, "step")} on ${counted(pictures.length, "picture")}: ${pictures.toSorted().join(", ")}. They have ${sizes.join(" or ")} pixels.`;
}

/** What the whole ladder gains, and which of its steps gains most. */
export function ladderSentence({ ladder }: Ablation): string {
  if (ladder.length < 2) return "";
  const [first, ...steps] = ladder;
  const last = ladder.at(-1)!;
  const most = steps.reduce((a, b) => (b.gain > a.gain ? b : a));
  const lost = steps.filter(({ gain }) => gain < 0).map(({ row, gain }) => `“${row}” (${signed(gain)} dB)`);
  const fallen =
    lost.length > 0
      ? ` At ${lost.length === 1 ? "its place" : "their places"} ${list.format(lost)} ${lost.length === 1 ? "costs, and pays" : "cost, and pay"} only with what comes after, if at all.`
      : "";
  return `From ${decibels(first.psnr)} of the baseline preset to ${decibels(last.psnr)}: ${signed(last.psnr - first.psnr)} dB in all. The largest step, ${signed(most.gain)} dB, is “${most.row}”.${fallen}`;
}

/** Which ingredient is missed most. */
export function withoutSentence({ without, ladder }: Ablation): string {
  if (without.length === 0 || ladder.length === 0) return "";
  const most = without[0];
  const better = without.filter(({ gain }) => gain > 0).map(({ row, gain }) => `“${row}” (${signed(gain)} dB)`);
  const kept = better.length > 0 ? ` Better than the whole: ${list.format(better)}.` : "";
  return `From there, one ingredient is taken away again. What is missed most: “${most.row}” changes it by ${signed(most.gain)} dB.${kept}`;
}

/** How the preset's two blends compare, at each number of blobs that both were trained with. */
export function blendSentence([quality, ...others]: Series[]): string {
  const sentences = others.map(({ row, means }) => {
    const parts = means.flatMap((mean) => {
      const own = quality.means.find(({ blobs }) => blobs === mean.blobs);
      return own ? [`${signed(own.psnr - mean.psnr)} dB with ${counted(mean.blobs, "blob")}`] : [];
    });
    return `Against “${row}” in its place, the preset's blend is worth ${list.format(parts)}.`;
  });
  return sentences.join(" ");
}

/** From the fewest blobs to the most. */
export function sizesSentence([quality]: Series[]): string {
  if (!quality) return "This recording has no runs by number of blobs.";
  const [first] = quality.means;
  const last = quality.means.at(-1)!;
  return `With ${counted(first.blobs, "blob")} it is ${decibels(first.psnr)} after ${first.seconds.toPrecision(2)} s of training, with ${counted(last.blobs, "blob")} ${decibels(last.psnr)} after ${last.seconds.toPrecision(2)} s.`;
}

/** What some seconds of training come to, beside another's whole runs. */
export function hurriedSentence({ runs }: Quality, rival: Anchors["measured"]): string {
  const hurried = runs.filter(({ part, image }) => part === "seconds" && image === rival.image);
  const beside = hurried.flatMap(({ blobs, psnr }) => {
    const theirs = rival.points.filter((point) => point.blobs === blobs).at(-1);
    return theirs ? [{ blobs, psnr, theirs }] : [];
  });
  if (beside.length === 0) return "";
  const reached = beside.map(({ blobs, psnr }) => `${decibels(psnr)} with ${counted(blobs, "blob")}`);
  const others = beside.map(({ theirs }) => `${decibels(theirs.psnr)} after ${theirs.seconds} s`);
  return `A run that is told to end after ${Math.round(hurried[0].seconds)} s reaches ${list.format(reached)} on ${rival.image}; ${rival.who} came to ${list.format(others)}.`;
}

/** What the file costs. */
export function bitsSentence([quality]: Series[]): string {
  const means = quality?.means.filter(({ filePsnr }) => Number.isFinite(filePsnr)) ?? [];
  if (means.length === 0) return "This recording has no files.";
  const last = means.at(-1)!;
  const bits = (8 * last.runs.reduce((sum, { bytes }) => sum + bytes, 0)) / last.runs.length / last.blobs;
  const worst = means.reduce((a, b) => (b.psnr - b.filePsnr > a.psnr - a.filePsnr ? b : a));
  return `With ${counted(last.blobs, "blob")} a blob takes ${bits.toFixed(0)} bits in the file, where its ${parameterCount} parameters as float32 are ${32 * parameterCount}. Rounding costs ${(worst.psnr - worst.filePsnr).toFixed(2)} dB at most, with ${counted(worst.blobs, "blob")}.`;
}

/** Where the times are from, and whether they may be set against another's. */
export function rivalNote(
  { adapter }: Quality,
  { who, adapter: theirs, image, steps, points }: Anchors["measured"],
): string {
  const letters = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const same = letters(adapter).includes(letters(theirs));
  const compared = same
    ? `Both were measured on an ${theirs}.`
    : `The diamonds were measured on an ${theirs}, the lines on ${adapter}: their times do not compare.`;
  return `${image}. Diamonds: ${who}, at ${points.length / new Set(points.map(({ blobs }) => blobs)).size} moments of its ${count(steps)} steps. ${compared}`;
}

/** Where and when all of it was recorded. */
export function qualityOrigin({ adapter, host, date, commit }: Quality): string {
  const at = commit ? `, at commit ${commit.slice(0, 8)}` : "";
  return `Recorded on ${date.slice(0, 10)} on ${adapter}; ${host}${at}.`;
}
