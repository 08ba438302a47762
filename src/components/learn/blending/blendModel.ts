import type { Blend, Composite } from "../../../engine/config.js";
import { compositeChannel, type PixelState } from "../../../engine/cpu/blend.js";
import type { Blob } from "../../../engine/cpu/blob.js";
import { type BlendStep, blendSteps, blobAt, colorOfState, newPixelState, type PixelStack } from "./pixelStack.js";

/** What a reader has changed of a blob. */
export interface BlobEdit {
  /** 0..1. */
  opacity?: number;
  /** Red, green and blue, 0..1. */
  color?: [number, number, number];
}

/** A stack with what a reader has changed of it: opacities, colours, and the order. */
export class EditedStack {
  /** Places in the stack as it was, front to back. */
  #order: number[];
  readonly #edits = new Map<number, BlobEdit>();

  constructor(readonly stack: PixelStack) {
    this.#order = stack.blobs.map((_, place) => place);
  }

  get isEdited(): boolean {
    return this.#edits.size > 0 || this.#order.some((place, at) => place !== at);
  }

  /** Whether a blob, by its index, is another one than in the run; where it stands does not count. */
  hasChanged(index: number): boolean {
    return this.#edits.has(index);
  }

  /** The blobs as they are now. */
  get blobs(): PixelStack["blobs"] {
    const { blobs, u, v } = this.stack;
    return this.#order.map((place) => {
      const edit = this.#edits.get(blobs[place].index);
      return edit ? blobAt(blobs[place].index, withEdit(blobs[place].blob, edit), u, v) : blobs[place];
    });
  }

  /** Changes a blob, by its index. */
  edit(index: number, edit: BlobEdit): void {
    this.#edits.set(index, { ...this.#edits.get(index), ...edit });
  }

  /** Puts a blob right before another, or right behind it. */
  move(index: number, other: number, isBehind: boolean): void {
    const placeOf = (blob: number) => this.stack.blobs.findIndex((entry) => entry.index === blob);
    const place = placeOf(index);
    this.#order = this.#order.filter((each) => each !== place);
    this.#order.splice(this.#order.indexOf(placeOf(other)) + Number(isBehind), 0, place);
  }

  reset(): void {
    this.#edits.clear();
    this.#order = this.stack.blobs.map((_, place) => place);
  }
}

function withEdit(blob: Blob, { opacity = blob.opacity, color = [blob.red, blob.green, blob.blue] }: BlobEdit): Blob {
  const [red, green, blue] = color;
  return { ...blob, opacity, red, green, blue };
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
export interface BlendRun {
  /** Every turn of the loop. */
  steps: BlendStep[];
  events: BlendEvent[];
  end: PixelState;
}

/** @param isShown whether a blob that is applied has an event of its own */
export function blendRun(
  blobs: PixelStack["blobs"],
  blend: Blend,
  isShown: (step: BlendStep) => boolean = ({ alpha }) => alpha > 0,
): BlendRun {
  const steps = blendSteps(blobs, blend);
  const applied = steps.filter((step) => step.isApplied && isShown(step));
  const passed = steps.filter(({ isApplied }) => !isApplied).length;
  const events: BlendEvent[] = [{ kind: "start" }];
  for (const step of applied) events.push({ kind: "blob", step });
  if (passed > 0) events.push({ kind: "stop", passed });
  events.push({ kind: "composite" });
  return { steps, events, end: steps.at(-1)?.after ?? newPixelState() };
}

/** The state after an event. */
export function stateAfter({ events, end }: BlendRun, at: number): PixelState {
  const event = events[at];
  if (event.kind === "start") return newPixelState();
  return event.kind === "blob" ? event.step.after : end;
}

/** A state as a colour, by each composite that is asked for. */
export function composited(state: PixelState, composites: readonly Composite[]): Record<string, number[]> {
  const { transmittance } = state;
  return Object.fromEntries(
    composites.map((name) => [name, colorOfState(state).map((c) => compositeChannel(c, transmittance, name))]),
  );
}

/** The shares of a pixel's blobs, one upon the other: where each begins and ends. */
export function shares(steps: readonly BlendStep[]): { step: BlendStep; low: number; high: number }[] {
  let high = 0;
  return steps.map((step) => {
    const low = high;
    high += step.weight;
    return { step, low, high };
  });
}
