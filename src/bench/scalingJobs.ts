import { ConfigError, coveringScale } from "../engine/config.js";
import type { Size } from "../engine/image/image.js";

/** The job that the sweeps vary. */
interface BaseJob {
  blobs: number;
  size: Size;
  tile: string;
}

/** A job of a sweep. */
export interface ScalingJob extends BaseJob {
  axis: Axis;
  covarianceScale: number;
}

const axes = ["blobs", "image", "tile", "all"] as const;
type Axis = (typeof axes)[number];

/** Defaults: 1,024 to 4,000,000 blobs, 256 to 8,192 pixels per side, and up to 40 million blobs on 16384×16384. */
const blobFactors = [1 / 40, 1 / 10, 2 / 5, 1, 4, 16, 4e6 / 40960];
const sideFactors = [1 / 2, 1, 2, 4, 8, 16];
const tiles = ["8x4", "8x8", "16x8", "16x16", "32x16", "32x32"];
const combinedFactors = [
  { blobs: 1, side: 1 },
  { blobs: 16, side: 4 },
  { blobs: 2e6 / 40960, side: 8 },
  { blobs: 4e6 / 40960, side: 16 },
  { blobs: 40e6 / 40960, side: 32 },
];

/** Returns the jobs of the sweeps, each in ascending order. */
export function scalingJobs(base: BaseJob, sweeps: readonly Axis[] = axes): ScalingJob[] {
  const job = (axis: Axis, blobFactor: number, sideFactor: number, tile = base.tile): ScalingJob => {
    const blobs = Math.max(1, Math.round(blobFactor * base.blobs));
    const side = (pixels: number) => Math.max(1, Math.round(sideFactor * pixels));
    const size = { width: side(base.size.width), height: side(base.size.height) };
    const covarianceScale = axis === "all" ? combinedScale(blobs, base.blobs) : coveringScale(blobs);
    return { axis, blobs, size, tile, covarianceScale };
  };
  const jobs: Record<Axis, () => ScalingJob[]> = {
    blobs: () => blobFactors.map((factor) => job("blobs", factor, 1)),
    image: () => sideFactors.map((factor) => job("image", 1, factor)),
    tile: () => tiles.map((tile) => job("tile", 1, 1, tile)),
    all: () => combinedFactors.map(({ blobs, side }) => job("all", blobs, side)),
  };
  return axes.filter((axis) => sweeps.includes(axis)).flatMap((axis) => jobs[axis]());
}

/** Returns a covariance scale with which as many blobs cover a pixel as in the base job. */
function combinedScale(blobs: number, base: number): number {
  return blobs > base ? (coveringScale(base) * base) / blobs : coveringScale(blobs);
}

/**
 * Returns the sweeps of a comma-separated list; `true` means all.
 * @throws ConfigError
 */
export function parseSweeps(text: string | true): readonly Axis[] {
  if (text === true) return axes;
  return text.split(",").map((name) => {
    const axis = axes.find((one) => one === name.trim());
    if (axis === undefined) throw new ConfigError("scaling", name, `one or more of ${axes.join(",")}`);
    return axis;
  });
}
