import { pointAt } from "../../figures/pointing.js";
import { type Stepper, stepper } from "../../inputs/stepper.js";
import { type Blending, describeEvent, matchingEventIndex, stepOf } from "./blendModel.js";
import type { PixelStack } from "./pixelStack.js";

/** An input for `Generators.input`, whose value is a turn of the blending loop, counted from 0. */
export type IterationStepper = Stepper & {
  /**
   * Goes through the turns at a pixel from now on: at another step of the run from where it stood, at another pixel from
   * the heaviest blob. Returns itself.
   */
  show(stack: PixelStack, blending: Blending): IterationStepper;
};

/** Goes through the turns of the blending loop, and points at the blob of each. */
export function iterationStepper(): IterationStepper {
  const node = stepper("Iteration of the blending loop", { count: 1 });
  let shown: { stack: PixelStack; blending: Blending } | undefined;
  node.addEventListener("input", () => {
    const step = shown && stepOf(shown.blending.events[node.value]);
    if (step) pointAt(`blob:${step.index}`);
  });
  const show = (stack: PixelStack, blending: Blending) => {
    const isSamePixel = shown?.stack.x === stack.x && shown.stack.y === stack.y;
    const event = isSamePixel ? shown!.blending.events[node.value] : undefined;
    shown = { stack, blending };
    node.setSteps({
      count: blending.events.length,
      describe: (eventIndex) => describeEvent(blending, eventIndex),
      value: matchingEventIndex(blending, event),
    });
    return input;
  };
  const input: IterationStepper = Object.assign(node, { show });
  return input;
}
