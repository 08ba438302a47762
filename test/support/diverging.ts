import type { TrainingState } from "../../src/engine/model/blobs.js";
import type { Pipeline } from "../../src/engine/pipeline.js";

/** Returns a pipeline with a NaN in the loss or in one part of the state, at a step and at all later ones. */
export function diverging(
  pipeline: Pipeline,
  part: "loss" | "parameters" | "firstMoments" | "secondMoments",
  firstStep: number,
): Pipeline {
  const state = async (): Promise<TrainingState> => {
    const read = await pipeline.state();
    return read.step < firstStep || part === "loss" ? read : { ...read, [part]: read[part].with(-1, Number.NaN) };
  };
  const measured = async () =>
    (await pipeline.measured()).map((row) =>
      row.step < firstStep || part !== "loss" ? row : { ...row, loss: Number.NaN },
    );
  return new Proxy(pipeline, {
    get(_, name: keyof Pipeline) {
      const value = pipeline[name];
      if (name === "state") return state;
      if (name === "measured") return measured;
      return typeof value === "function" ? value.bind(pipeline) : value;
    },
  });
}
