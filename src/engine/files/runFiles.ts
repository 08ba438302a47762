/** Names of the files in the folder of a run. */
export const runFiles = {
  description: "run.json",
  metrics: "metrics.arrow",
  parameters: "parameters.arrow",
  gradients: "gradients.arrow",
  optimizer: "optimizer.arrow",
  render: "render.png",
  target: "target.png",
  splat2d: "blobs.splat2d",
} as const;

/** The film's folder in the folder of a run. */
export const filmFolder = "film";

/** Returns the file name of a film frame. */
export function frameFile(step: number): string {
  return `${filmFolder}/${String(step).padStart(6, "0")}.png`;
}

/** The folder of unfinished regions in the folder of a run. */
export const regionsFolder = "regions";
