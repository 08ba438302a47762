import type { Blend } from "../../../engine/config.js";
import { alphaBlend, attenuationOf, lowestTransmittance, type PixelState } from "../../../engine/model/blend.js";
import type { BlobValues } from "../../../engine/model/blob.js";
import { counted } from "../../page/format.js";
import { numberText } from "../../page/numberText.js";
import { indexOfLargest } from "../largest.js";
import { type BlendStep, blendSteps, blobAt, newPixelState, type PixelStack, type StackBlob } from "./pixelStack.js";

/** Returns the blobs of a stack with new values for the one that has an index. */
export function editBlob(
  { u, v }: PixelStack,
  blobs: readonly StackBlob[],
  index: number,
  edit: Partial<BlobValues>,
): StackBlob[] {
  const edited = ({ blob }: StackBlob) => ({ ...blobAt(index, { ...blob, ...edit }, u, v), isChanged: true });
  return blobs.map((entry) => (entry.index === index ? edited(entry) : entry));
}

/** Returns the blobs with one moved directly in front of another, or directly behind it. */
export function moveBlob(blobs: readonly StackBlob[], index: number, other: number, isBehind: boolean): StackBlob[] {
  const moved = blobs.filter((entry) => entry.index !== index);
  const position = moved.findIndex((entry) => entry.index === other) + Number(isBehind);
  return moved.toSpliced(position, 0, ...blobs.filter((entry) => entry.index === index));
}

/** A step of the stepper through the blending loop. */
export type BlendEvent =
  | { kind: "start" }
  /** The iteration of one blob. */
  | { kind: "blob"; step: BlendStep }
  /** The iterations after the blob that crossed 1/255, which change nothing. */
  | { kind: "stop"; passed: number }
  | { kind: "composite" };

/** The blending of a pixel, for a stepper. */
export type Blending = ReturnType<typeof pixelBlending>;

/**
 * Returns all iterations of the loop, those that have an event of their own, the events and the final state.
 * @param isShown whether an applied blob has an event
 */
export function pixelBlending(
  blobs: readonly StackBlob[],
  blend: Blend,
  isShown: (entry: StackBlob) => boolean = ({ alpha }) => alpha > 0,
) {
  const steps = blendSteps(blobs, blend);
  const shownSteps = steps.filter((step) => step.isApplied && isShown(step));
  const passed = steps.filter(({ isApplied }) => !isApplied).length;
  const events: BlendEvent[] = [{ kind: "start" }, ...shownSteps.map((step) => ({ kind: "blob" as const, step }))];
  if (passed > 0) events.push({ kind: "stop", passed });
  events.push({ kind: "composite" });
  return { blend, steps, shownSteps, events, end: steps.at(-1)?.after ?? newPixelState() };
}

/** Returns the iteration that an event shows. */
export function stepOf(event: BlendEvent | undefined): BlendStep | undefined {
  return event?.kind === "blob" ? event.step : undefined;
}

/** Returns the index of the same event in another blending; if there is none, the index of the blob with the largest weight. */
export function matchingEventIndex({ events, shownSteps }: Blending, event?: BlendEvent): number {
  const indexOf = (kind?: string, index?: number) =>
    events.findIndex((each) => each.kind === kind && stepOf(each)?.index === index);
  const largest = shownSteps[indexOfLargest(shownSteps.map(({ weight }) => weight))];
  const position = indexOf(event?.kind, stepOf(event)?.index);
  return position >= 0 ? position : Math.max(indexOf("blob", largest?.index), 0);
}

/** Returns the state after an event. */
export function stateAfter({ events, end }: Blending, eventIndex: number): PixelState {
  const event = events[eventIndex];
  if (event.kind === "start") return newPixelState();
  return stepOf(event)?.after ?? end;
}

/** Describes an event in a sentence. */
export function describeEvent({ blend, events, end, steps, shownSteps }: Blending, eventIndex: number): string {
  const event = events[eventIndex];
  switch (event.kind) {
    case "start":
      return `Before the first blob: C = 0 and T = 1, for a list of ${counted(steps.length, "blob")}.`;
    case "blob": {
      const { alpha, weight, after, index } = event.step;
      const stopText = after.transmittance < lowestTransmittance ? " It crosses 1/255, and is still applied." : "";
      const weightText = `α = ${alpha.toFixed(4)}, weight αT = ${weight.toFixed(4)}.`;
      return `Blob ${index}, ${eventIndex} of ${shownSteps.length}: ${weightText}${stopText}`;
    }
    case "stop":
      return `T = ${numberText(end.transmittance, 3)} is below 1/255: the ${counted(event.passed, "blob")} behind are skipped.`;
    case "composite":
      if (blend === "sum") return "All summed: in a sum no blob blocks another, and T stays 1.";
      return `All blended: T = ${numberText(end.transmittance, 4)} is left for the background.`;
  }
}

/** Returns the weights of a pixel's blobs stacked: the lower and upper end of each. */
export function weightBands(steps: readonly BlendStep[]): { step: BlendStep; low: number; high: number }[] {
  let high = 0;
  return steps.map((step) => {
    const low = high;
    high += step.weight;
    return { step, low, high };
  });
}

/** Returns the transmittance behind 0 to `most` blobs of equal α, one by one, by the CPU reference. */
export function stackedLight(alpha: number, most: number): { x: number; y: number }[] {
  const state = newPixelState();
  return Array.from({ length: most + 1 }, (_, count) => {
    if (count > 0) alphaBlend(state, { red: 0, green: 0, blue: 0 }, alpha, attenuationOf("over"));
    return { x: count, y: state.transmittance };
  });
}
