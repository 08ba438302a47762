import { parameterCount } from "../../../engine/blobs.js";
import { adamConstants } from "../../../engine/cpu/adam.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { element, setText } from "../../element.js";
import type { AdamDesk } from "./adamDesk.js";
import { replayOnGpu } from "./adamKernel.js";
import { small } from "./adamTable.js";
import { replay } from "./replay.js";
import { isAdam, rules } from "./rules.js";
import { isShipped, sequenceOf, type TrainedRun } from "./training.js";

/** Runs the kernel over the recorded gradients of the chosen blob, and says how far it is from its twin. */
export function kernelCheck(engine: BrowserEngine, desk: AdamDesk): { node: HTMLElement; check: () => void } {
  const node = element("p", { class: "kernel-check", role: "status" });
  const tell = (text: string) => setText(node, text);
  let latest = "";
  const check = async () => {
    const { run, kept, settings } = desk;
    if (!run || desk.source !== "recorded") {
      latest = "";
      return tell("Of a recorded parameter, the kernel itself is run here too.");
    }
    if (!isShipped(settings)) {
      latest = "";
      return tell("The kernel holds other constants than these, so it is not run.");
    }
    const key = `${run.config.seed} ${run.losses.length} ${run.config.blobs} ${kept} ${settings.rate}`;
    if (key === latest) return;
    latest = key;
    const gpu = await pageGpu(engine);
    if (key !== latest) return;
    if (!gpu) return tell("This page has no GPU, so the kernel is not run here; what you see comes from its twin.");
    const told: string[] = [];
    for (const rule of rules.filter(isAdam)) {
      const config = { ...run.config, biasCorrection: rule, learningRate: settings.rate };
      const blob = (all: Float32Array) => blobOf(run, all, kept);
      const made = await replayOnGpu(gpu, config, run.image, blob(run.parameters[0]), run.gradients.map(blob));
      told.push(`${small(furthest(desk, run, rule, made))} with ${rule} correction`);
    }
    if (key !== latest) return;
    tell(
      `The kernel, shaders/shared/updateBlobs.wgsl, was run over these ${run.gradients.length} gradients of all nine ` +
        `parameters of the blob on ${gpu.description}. Its float32 is at most ${told.join(" and ")} from its twin’s.`,
    );
  };
  return { node, check: () => void check().catch((error: Error) => tell(`The kernel did not run: ${error.message}`)) };
}

function blobOf({ kept }: TrainedRun, all: Float32Array, at: number): Float32Array {
  return Float32Array.from({ length: parameterCount }, (_, field) => all[field * kept.length + at]);
}

/** The largest difference of the kernel's raw parameters from those of its twin in float32. */
function furthest(desk: AdamDesk, run: TrainedRun, rule: "constant" | "exact", made: Float32Array[]): number {
  let most = 0;
  for (let field = 0; field < parameterCount; field++) {
    const start = run.parameters[0][field * run.kept.length + desk.kept];
    const rateAt = (t: number) => desk.rateAt(rule, t, field);
    const stepping = { rule, rateAt, constants: adamConstants, precision: Float32Array };
    const twin = replay(sequenceOf(run, "gradients", desk.kept, field), start, stepping);
    for (const [t, values] of made.entries()) most = Math.max(most, Math.abs(values[field] - twin.parameters[t]));
  }
  return most;
}
