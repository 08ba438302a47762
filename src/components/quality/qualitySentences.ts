import type { Quality } from "../../engine/bench/qualityResult.js";
import { parameterCount } from "../../engine/model/blobs.js";
import { count, counted, decibels, signed } from "../page/format.js";
import type { Anchors } from "./anchors.js";
import { type Ablation, imagesOf, type Series } from "./qualityFacts.js";

/** "a, b and c". */
const list = new Intl.ListFormat("en-GB");

/** Returns which images, sizes and steps the ablation was trained with. */
export function ablationSentence({ ladder }: Ablation): string {
  const [first] = ladder;
  if (!first) return "This recording has no ablation.";
  const images = imagesOf(ladder);
  const sizes = [...new Set(first.runs.map(({ width, height }) => `${width} × ${height}`))];
  return `Each row was trained with ${counted(first.blobs, "blob")} for ${counted(first.steps, "step")} on ${counted(images.length, "image")} of ${sizes.join(" or ")} pixels: ${images.toSorted().join(", ")}.`;
}

/** Returns what the cumulative ablation gains, and which change gains most. */
export function ladderSentence({ ladder }: Ablation): string {
  if (ladder.length < 2) return "";
  const [first, ...steps] = ladder;
  const last = ladder.at(-1)!;
  const largest = steps.reduce((a, b) => (b.gain > a.gain ? b : a));
  const losses = steps.filter(({ gain }) => gain < 0).map(({ row, gain }) => `“${row}” (${signed(gain)} dB)`);
  const lossText =
    losses.length > 0 ? ` ${list.format(losses)} ${losses.length === 1 ? "lowers" : "lower"} PSNR in this order.` : "";
  return `PSNR rises from ${decibels(first.psnr)} to ${decibels(last.psnr)}, ${signed(last.psnr - first.psnr)} dB in all. The largest gain, ${signed(largest.gain)} dB, is that of “${largest.row}”.${lossText}`;
}

/** Returns which change of the quality preset matters most when it alone is left out. */
export function withoutSentence({ without, ladder }: Ablation): string {
  if (without.length === 0 || ladder.length === 0) return "";
  const largest = without[0];
  const better = without.filter(({ gain }) => gain > 0).map(({ row, gain }) => `“${row}” (${signed(gain)} dB)`);
  const betterText = better.length > 0 ? ` Better without: ${list.format(better)}.` : "";
  return `The leave-one-out rows each undo one change. The largest loss is “${largest.row}”, ${signed(largest.gain)} dB.${betterText}`;
}

/** Returns how the preset's two blends compare, at each number of blobs that both were trained with. */
export function blendSentence([quality, ...others]: Series[]): string {
  const sentences = others.map(({ row, means }) => {
    const parts = means.flatMap((mean) => {
      const ownMean = quality.means.find(({ blobs }) => blobs === mean.blobs);
      return ownMean ? [`${signed(ownMean.psnr - mean.psnr)} dB with ${counted(mean.blobs, "blob")}`] : [];
    });
    return `Compared with the blend “${row}”, the preset's own gains ${list.format(parts)}.`;
  });
  return sentences.join(" ");
}

/** Returns PSNR and training time at the fewest and the most blobs. */
export function sizesSentence([quality]: Series[]): string {
  if (!quality) return "This recording has no runs by number of blobs.";
  const [first] = quality.means;
  const last = quality.means.at(-1)!;
  return `The quality preset reaches ${decibels(first.psnr)} with ${counted(first.blobs, "blob")} after ${first.seconds.toPrecision(2)} s of training, and ${decibels(last.psnr)} with ${counted(last.blobs, "blob")} after ${last.seconds.toPrecision(2)} s.`;
}

/** Returns the PSNR of runs that end after some seconds, next to another program's whole runs. */
export function hurriedSentence({ runs }: Quality, rival: Anchors["measured"]): string {
  const hurried = runs.filter(({ part, image }) => part === "seconds" && image === rival.image);
  const compared = hurried.flatMap(({ blobs, psnr }) => {
    const theirs = rival.points.filter((point) => point.blobs === blobs).at(-1);
    return theirs ? [{ blobs, psnr, theirs }] : [];
  });
  if (compared.length === 0) return "";
  const reached = compared.map(({ blobs, psnr }) => `${decibels(psnr)} with ${counted(blobs, "blob")}`);
  const others = compared.map(({ theirs }) => `${decibels(theirs.psnr)} after ${theirs.seconds} s`);
  return `On ${rival.image}, a run limited to ${Math.round(hurried[0].seconds)} s reaches ${list.format(reached)}; ${rival.who} reaches ${list.format(others)}.`;
}

/** Returns the bits per blob in a file, and the PSNR that quantization costs. */
export function bitsSentence([quality]: Series[]): string {
  const means = quality?.means.filter(({ filePsnr }) => Number.isFinite(filePsnr)) ?? [];
  if (means.length === 0) return "This recording has no files.";
  const last = means.at(-1)!;
  const bits = (8 * last.runs.reduce((sum, { bytes }) => sum + bytes, 0)) / last.runs.length / last.blobs;
  const worst = means.reduce((a, b) => (b.psnr - b.filePsnr > a.psnr - a.filePsnr ? b : a));
  return `With ${counted(last.blobs, "blob")}, a blob takes ${bits.toFixed(0)} bits in the file; its ${parameterCount} parameters take ${32 * parameterCount} as float32. Quantization costs at most ${(worst.psnr - worst.filePsnr).toFixed(2)} dB, with ${counted(worst.blobs, "blob")}.`;
}

/** Returns where the times were measured, and whether they can be compared. */
export function rivalNote({ adapter }: Quality, { who, adapter: theirs, steps, points }: Anchors["measured"]): string {
  const normalize = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const isSameAdapter = normalize(adapter).includes(normalize(theirs));
  const compared = isSameAdapter
    ? `Both were measured on an ${theirs}.`
    : `The diamonds were measured on an ${theirs}, the lines on ${adapter}, so the times cannot be compared.`;
  return `Diamonds: ${who} at ${points.length / new Set(points.map(({ blobs }) => blobs)).size} times within its ${count(steps)} steps. ${compared}`;
}

/** Returns where and when the recording was made. */
export function qualityOrigin({ adapter, host, date, commit }: Quality): string {
  const commitText = commit ? `, at commit ${commit.slice(0, 8)}` : "";
  return `Recorded on ${date.slice(0, 10)} on ${adapter}; ${host}${commitText}.`;
}
