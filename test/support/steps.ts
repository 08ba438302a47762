import type { Pipeline } from "../../src/engine/pipeline.js";
import { Turns } from "../../src/engine/turns.js";

/** Lets something happen before each lot of steps, when those that were asked for before it are done. */
export function beforeSteps(pipeline: Pipeline, happen: () => void | Promise<void>): void {
  const turns = new Turns();
  const advance = pipeline.advance.bind(pipeline);
  const measured = pipeline.measured.bind(pipeline);
  pipeline.advance = (...given) =>
    turns.take(async () => {
      await happen();
      return advance(...given);
    });
  // Of these very steps.
  pipeline.measured = () => turns.take(measured);
}
