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
