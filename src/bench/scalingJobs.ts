import { coveringScale } from "../engine/config.js";
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

/** The number of blobs, or blobs and image together. */
type Axis = "blobs" | "all";

/** Defaults: 1,024 to 4,000,000 blobs, and up to 40 million blobs on 16384×16384. */
const blobFactors = [1 / 40, 1 / 10, 2 / 5, 1, 4, 16, 4e6 / 40960];
const combinedFactors = [
  { blobs: 1, side: 1 },
  { blobs: 16, side: 4 },
  { blobs: 2e6 / 40960, side: 8 },
  { blobs: 4e6 / 40960, side: 16 },
  { blobs: 40e6 / 40960, side: 32 },
];

/** Returns the jobs of the sweeps, each in ascending order. */
export function scalingJobs(base: BaseJob): ScalingJob[] {
  const job = (axis: Axis, blobFactor: number, sideFactor: number): ScalingJob => {
    const blobs = Math.max(1, Math.round(blobFactor * base.blobs));
    const side = (pixels: number) => Math.max(1, Math.round(sideFactor * pixels));
    const size = { width: side(base.size.width), height: side(base.size.height) };
    const covarianceScale = axis === "all" ? combinedScale(blobs, base.blobs) : coveringScale(blobs);
    return { axis, blobs, size, tile: base.tile, covarianceScale };
  };
  return [
    ...blobFactors.map((factor) => job("blobs", factor, 1)),
    ...combinedFactors.map(({ blobs, side }) => job("all", blobs, side)),
  ];
}

/** Returns a covariance scale with which as many blobs cover a pixel as in the base job. */
function combinedScale(blobs: number, base: number): number {
  return blobs > base ? (coveringScale(base) * base) / blobs : coveringScale(blobs);
}
