import type { Pipeline } from "../../src/engine/pipeline.js";

/** Returns a pipeline that reports NaN as the loss of a step and of all later ones. */
export function withNanLoss(pipeline: Pipeline, firstStep: number): Pipeline {
  return new Proxy(pipeline, {
    get(_, name: keyof Pipeline) {
      const value = pipeline[name];
      if (typeof value !== "function") return value;
      if (name !== "measured") return value.bind(pipeline);
      return async () =>
        (await pipeline.measured()).map((row) => (row.step < firstStep ? row : { ...row, loss: Number.NaN }));
    },
  });
}
