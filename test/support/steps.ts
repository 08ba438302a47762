import type { Pipeline } from "../../src/engine/pipeline.js";
import { SerialQueue } from "../../src/engine/serialQueue.js";

/** Calls a function before each batch of steps, after the previous batches are done. */
export function beforeSteps(pipeline: Pipeline, action: () => void | Promise<void>): void {
  const queue = new SerialQueue();
  const advance = pipeline.advance.bind(pipeline);
  const { measured, state } = pipeline;
  pipeline.advance = (...args) =>
    queue.run(async () => {
      await action();
      return advance(...args);
    });
  // Of these very steps.
  pipeline.measured = () => queue.run(() => measured.call(pipeline));
  pipeline.state = () => queue.run(() => state.call(pipeline));
}
