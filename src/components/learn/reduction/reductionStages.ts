import type { Gpu } from "../../../engine/gpu/device.js";
import { numberText } from "../../page/numberText.js";
import { bitsOf, unitInLastPlace } from "./floatBits.js";
import { exactSum, type Reduction } from "./reductionModel.js";
import { traceReduction } from "./sumKernels.js";

/** Describes a stage of a reduction: the gradients, the clamp, each round, and the addition to memory. */
export function describeStage(
  { gradients, rounds, largest, clampedCount, sum, exact, additions }: Reduction,
  stage: number,
): string {
  if (stage === 0) return `Each of the ${gradients.length} threads has the gradient of its own pixel.`;
  if (stage === 1) {
    const clampText =
      clampedCount === 0 ? "none exceeds it" : `${clampedCount} ${clampedCount === 1 ? "exceeds" : "exceed"} it`;
    return `Each is clamped to ±${largest} (${clampText}), and written to the thread’s word of workgroup memory. All threads wait.`;
  }
  const round = rounds[stage - 2];
  if (round) {
    const { stride, threads } = round;
    const action =
      threads === 1
        ? `thread 0 adds the value of thread ${stride}`
        : `threads 0 to ${threads - 1} each add the value of the thread ${stride} further on`;
    return `Round ${stage - 1} of ${rounds.length}: ${action}; the others wait.`;
  }
  const units = Number((Math.abs(sum - exact) / unitInLastPlace(exact)).toPrecision(2));
  const unclampedText = clampedCount === 0 ? "" : ` Without the clamp it would be ${numberText(exactSum(gradients))}.`;
  return `Thread 0 has ${numberText(sum, 9)} after ${additions} additions in ${rounds.length} rounds, and adds it to the gradient in memory. The exact sum of these numbers is ${numberText(exact, 9)}: ${units} units in the last place away.${unclampedText}`;
}

/** Returns the names of the lines of code that run in a stage. */
export function stageCodeLines({ rounds }: Reduction, stage: number): string[] {
  if (stage === 0) return [];
  if (stage === 1) return ["code:reduce.clamp", "code:reduce.write"];
  return rounds[stage - 2] ? ["code:reduce.round", "code:reduce.add"] : ["code:reduce.memory", "code:reduce.result"];
}

/** Runs the kernel; returns a sentence that compares its partial sums with those of the CPU reference. */
export async function compareReductionOnGpu(gpu: Gpu, { gradients, largest, rounds, sum }: Reduction): Promise<string> {
  const traced = await traceReduction(gpu, gradients, largest);
  const byStride = new Map(rounds.map(({ stride, values }) => [stride, values]));
  const different = traced.additions.filter(
    ({ stride, thread, value }) => bitsOf(byStride.get(stride)![thread]) !== value,
  );
  const intro = `The kernel ran on ${gpu.description} with a probe after its addition: `;
  if (different.length === 0 && Object.is(traced.sum, Math.fround(sum + 0)))
    return `${intro}all ${traced.additions.length} partial sums are bit-identical to those shown.`;
  return `${intro}${different.length} of ${traced.additions.length} partial sums differ from those shown, and its result is ${traced.sum}.`;
}
