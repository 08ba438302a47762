import { pointAt } from "../../figures/pointing.js";
import { type Stepper, stepper } from "../../inputs/stepper.js";
import { type Blending, describeEvent, matchingEventIndex, stepOf } from "./blendModel.js";
import type { PixelStack } from "./pixelStack.js";

/** An input with the index of an event of the blending loop as its value, counted from 0. */
export type IterationStepper = Stepper & {
  /**
   * Shows the blending of a pixel and returns itself. At the same pixel it stays at its event, at another one it starts
   * at the blob with the largest weight.
   */
  show(stack: PixelStack, blending: Blending): IterationStepper;
};

/** Returns a stepper through the blending loop; it marks the blob of each iteration in the other figures. */
export function iterationStepper(): IterationStepper {
  const node = stepper("Iteration of the blending loop", { count: 1 });
  let shown: { stack: PixelStack; blending: Blending } | undefined;
  node.oninput = () => {
    const step = shown && stepOf(shown.blending.events[node.value]);
    if (step) pointAt(`blob:${step.index}`);
  };
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
