/** The files of a run, as they are named in its folder. */
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

/** The folder in a run's folder that holds its film. */
export const filmFolder = "film";

/** The picture that a film has of a step. */
export function frameFile(step: number): string {
  return `${filmFolder}/${String(step).padStart(6, "0")}.png`;
}

/** The folder in a run's folder that holds its regions while they are learned. */
export const regionsFolder = "regions";
