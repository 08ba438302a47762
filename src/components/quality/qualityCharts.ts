import type { Anchors } from "./anchors.js";
import { picturesOf, type Series } from "./qualityFacts.js";
import { type AnchorPoint, sizesChart } from "./sizesChart.js";

const blobs = { label: "blobs →", of: (mean: { blobs: number }) => mean.blobs };

function over(series: Series[]): string {
  const { length } = picturesOf(series[0].means);
  return `Means over ${length} picture${length === 1 ? "" : "s"}`;
}

/** Decibels by the number of blobs, among what others report. */
export function psnrBySize(series: Series[], { published, set }: Anchors): HTMLElement | string {
  if (series.length === 0) return "";
  return sizesChart({
    title: "More blobs",
    series,
    x: blobs,
    y: { label: "↑ PSNR, dB", of: ({ psnr }) => psnr },
    anchors: published.map(({ who, blobs, psnr }, i) => ({ number: i + 1, name: who, x: blobs, y: psnr })),
    note: `${over(series)}. Diamonds: what others report over the ${set} images, in the table below.`,
  });
}

/** MS-SSIM by the number of blobs; nothing where the pictures were too small for it. */
export function similarityBySize(series: Series[], { published }: Anchors): HTMLElement | string {
  const measured = series
    .map(({ row, means }) => ({ row, means: means.filter(({ msSsim }) => msSsim < 1) }))
    .filter(({ means }) => means.length > 0);
  if (measured.length === 0) return "";
  const anchors: AnchorPoint[] = published.flatMap(({ who, blobs, msSsim }, i) =>
    msSsim === undefined ? [] : [{ number: i + 1, name: who, x: blobs, y: [msSsim] }],
  );
  const values = [
    ...measured.flatMap(({ means }) => means.map(({ msSsim }) => msSsim)),
    ...anchors.flatMap(({ y }) => y),
  ];
  const away = (value: number) => 1 - value;
  const domain = [away(Math.min(...values)) * 1.4, away(Math.max(...values)) / 1.3];
  const ticks = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5];
  return sizesChart({
    title: "Structure, as eyes see it",
    series: measured,
    x: blobs,
    // The distance from 1, since all that is good crowds there.
    y: { label: "↑ MS-SSIM", of: ({ msSsim }) => away(msSsim) },
    yDomain: domain,
    yScale: {
      type: "log",
      ticks: ticks.filter((tick) => tick <= domain[0] && tick >= domain[1]),
      tickFormat: (tick: number) => String(Number((1 - tick).toFixed(6))),
    },
    anchors: anchors.map((anchor) => ({ ...anchor, y: anchor.y.map(away) })),
    note: `${over(measured)}. The axis is logarithmic in the distance from 1.`,
  });
}

/** Decibels by the bits of the file. */
export function psnrByBits(series: Series[]): HTMLElement | string {
  const filed = series
    .map(({ row, means }) => ({ row, means: means.filter(({ filePsnr }) => Number.isFinite(filePsnr)) }))
    .filter(({ means }) => means.length > 0);
  if (filed.length === 0) return "";
  return sizesChart({
    title: "What a file of so many bits holds",
    series: filed,
    x: { label: "bits a pixel, .splat2d →", of: ({ bitsPerPixel }) => bitsPerPixel },
    y: { label: "↑ PSNR of the file, dB", of: ({ filePsnr }) => filePsnr },
    named: true,
    note: `${over(filed)}. At each dot, the number of blobs. Uncompressed, a picture takes 24.`,
  });
}
