import { group } from "d3-array";
import type { QualityRun } from "../../engine/bench/results.js";

/** The results of a row at a number of blobs: means over the same images for all rows. */
type Mean = ReturnType<typeof meanOf>;

const jobOf = ({ row, blobs }: Pick<QualityRun, "row" | "blobs">) => `${blobs} ${row}`;

/**
 * Returns means over the images that all rows have. If rows lack images, it chooses the images and rows with the most runs
 * in common.
 */
function meansOf(runs: QualityRun[]): Mean[] {
  const jobs = group(runs, jobOf);
  const trained = new Map([...group(runs, ({ image }) => image)].map(([image, own]) => [image, own.length]));
  let best: { images: string[]; complete: QualityRun[][] } = { images: [], complete: [] };
  for (const minimum of new Set(trained.values())) {
    const images = [...trained.keys()].filter((image) => trained.get(image)! >= minimum);
    const runsPerImage = (same: QualityRun[]) =>
      images.map((imageName) => same.find(({ image }) => image === imageName));
    const complete = [...jobs.values()]
      .map(runsPerImage)
      .filter((same): same is QualityRun[] => !same.includes(undefined));
    if (complete.length * images.length > best.complete.length * best.images.length) best = { images, complete };
  }
  return best.complete.map(meanOf);
}

/** @param runs one per image, in the order of the images */
function meanOf(runs: QualityRun[]) {
  const [{ part, row, blobs, steps }] = runs;
  const mean = (value: (run: QualityRun) => number) => runs.reduce((sum, run) => sum + value(run), 0) / runs.length;
  return {
    part,
    row,
    blobs,
    steps,
    psnr: mean((run) => run.psnr),
    seconds: mean((run) => run.seconds),
    msSsim: mean((run) => run.msSsim),
    bitsPerPixel: mean((run) => run.bitsPerPixel),
    filePsnr: mean((run) => run.filePsnr),
    runs,
  };
}

/** Returns the images that rows are means over. */
export function imagesOf([first]: Mean[]): string[] {
  return first ? first.runs.map(({ image }) => image) : [];
}

/** Names of recorded rows on pages, if they differ. */
const rowNames: Record<string, string> = {
  "direct and rates by group": "direct parameterization, rates by group",
  schedule: "learning-rate schedule",
  "start by gradient": "gradient-based initialization",
  growth: "density control",
  "sum in place of over": "sum instead of over",
  "over in place of sum": "over instead of sum",
  "uniform start": "uniform initialization",
  "no growth": "no density control",
  "one rate for all": "one learning rate for all groups",
  "no schedule": "constant learning rate",
};

/**
 * Returns the cumulative ablation, from the baseline preset up, and the leave-one-out ablation of its last row, at the
 * most frequent number of blobs. Gains are over the previous row, or over the last cumulative row.
 */
export function ablationOf(runs: QualityRun[]) {
  const own = runs.filter(({ part }) => part === "ladder" || part === "without");
  const [largestGroup] = [...group(own, ({ blobs }) => blobs).values()].toSorted((a, b) => b.length - a.length);
  const means = meansOf((largestGroup ?? []).map((run) => ({ ...run, row: rowNames[run.row] ?? run.row })));
  const ladder = means.filter(({ part }) => part === "ladder");
  const top = ladder.at(-1)?.psnr ?? Number.NaN;

  return {
    ladder: ladder.map((mean, i) => ({ ...mean, gain: mean.psnr - (ladder[i - 1]?.psnr ?? Number.NaN) })),
    without: means
      .filter(({ part }) => part === "without")
      .map((mean) => ({ ...mean, gain: mean.psnr - top }))
      .sort((a, b) => a.gain - b.gain),
  };
}

/** Returns the means of the quality preset and of the rows to compare with it, in ascending order of blobs. */
export function seriesOf(runs: QualityRun[]) {
  const means = meansOf(runs.filter(({ part }) => part === "sizes"));
  return [...group(means, ({ row }) => row)].map(([row, own]) => ({
    row,
    means: own.toSorted((a, b) => a.blobs - b.blobs),
  }));
}
