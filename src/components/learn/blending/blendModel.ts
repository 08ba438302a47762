import type { Blend } from "../../../engine/config.js";
import { lowestTransmittance, type PixelState } from "../../../engine/model/blend.js";
import type { BlobValues } from "../../../engine/model/blob.js";
import { counted } from "../../page/format.js";
import { numberText } from "../../page/numberText.js";
import { type BlendStep, blendSteps, blobAt, newPixelState, type PixelStack, type StackBlob } from "./pixelStack.js";

/** A stack's blobs, of which one, by its index, has other values. */
export function editBlob(
  { u, v }: PixelStack,
  blobs: readonly StackBlob[],
  index: number,
  edit: Partial<BlobValues>,
): StackBlob[] {
  const edited = ({ blob }: StackBlob) => ({ ...blobAt(index, { ...blob, ...edit }, u, v), isChanged: true });
  return blobs.map((entry) => (entry.index === index ? edited(entry) : entry));
}

/** The blobs with one of them right before another, or right behind it. */
export function moveBlob(blobs: readonly StackBlob[], index: number, other: number, isBehind: boolean): StackBlob[] {
  const moved = blobs.filter((entry) => entry.index !== index);
  const position = moved.findIndex((entry) => entry.index === other) + Number(isBehind);
  return moved.toSpliced(position, 0, ...blobs.filter((entry) => entry.index === index));
}

/** What a stepper of the blending shows, one after the other. */
export type BlendEvent =
  | { kind: "start" }
  /** The loop's turn of one blob. */
  | { kind: "blob"; step: BlendStep }
  /** The turns of the blobs behind the one that crossed 1/255, which change nothing. */
  | { kind: "stop"; passed: number }
  | { kind: "composite" };

/** A pixel's blending, for a stepper. */
export type Blending = ReturnType<typeof pixelBlending>;

/**
 * Every turn of the loop, those that have an event of their own, and the events.
 * @param isShown whether a blob that is applied has one
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

/** The blob whose turn an event is. */
export function stepOf(event: BlendEvent | undefined): BlendStep | undefined {
  return event?.kind === "blob" ? event.step : undefined;
}

/** Where an event stands of another blending; of none, or one that is not there, the blob with the largest share. */
export function matchingEventIndex({ events, shownSteps: turns }: Blending, event?: BlendEvent): number {
  const indexOf = (kind?: string, index?: number) =>
    events.findIndex((each) => each.kind === kind && stepOf(each)?.index === index);
  const largest = turns.reduce((best, step) => (step.weight > (best?.weight ?? -1) ? step : best), turns.at(0));
  const position = indexOf(event?.kind, stepOf(event)?.index);
  return position >= 0 ? position : Math.max(indexOf("blob", largest?.index), 0);
}

/** The state after an event. */
export function stateAfter({ events, end }: Blending, eventIndex: number): PixelState {
  const event = events[eventIndex];
  if (event.kind === "start") return newPixelState();
  return stepOf(event)?.after ?? end;
}

/** An event in words. */
export function describeEvent({ blend, events, end, steps, shownSteps: turns }: Blending, eventIndex: number): string {
  const event = events[eventIndex];
  switch (event.kind) {
    case "start":
      return `Before the first blob: C = 0 and T = 1, for a list of ${counted(steps.length, "blob")}.`;
    case "blob": {
      const { alpha, weight, after, index } = event.step;
      const stopText = after.transmittance < lowestTransmittance ? " It crosses 1/255, and is still applied." : "";
      const weightText = `α = ${alpha.toFixed(4)}, weight αT = ${weight.toFixed(4)}.`;
      return `Blob ${index}, ${eventIndex} of ${turns.length}: ${weightText}${stopText}`;
    }
    case "stop":
      return `T = ${numberText(end.transmittance, 3)} is below 1/255: the ${counted(event.passed, "blob")} behind are skipped.`;
    case "composite":
      if (blend === "sum") return "All summed: in a sum no blob blocks another, and T stays 1.";
      return `All blended: T = ${numberText(end.transmittance, 4)} is left for the background.`;
  }
}

/** The shares of a pixel's blobs, one upon the other: where each begins and ends. */
export function weightBands(steps: readonly BlendStep[]): { step: BlendStep; low: number; high: number }[] {
  let high = 0;
  return steps.map((step) => {
    const low = high;
    high += step.weight;
    return { step, low, high };
  });
}
