import { html } from "htl";
import type { TrainConfig } from "../../../engine/config.js";
import { filesOf } from "../../../engine/gpu/declarations.js";
import type { Image } from "../../../engine/image/image.js";
import type { ShaderLibrary } from "../../../engine/shaders.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { figure } from "../../figures/figure.js";
import { phoneViews } from "../../figures/phoneViews.js";
import { bufferDescriptions } from "../../kernels/bufferDescriptions.js";
import { cpuReferencesIn, descriptionOf } from "../../kernels/kernelHeader.js";
import { bytesText, count, time } from "../../page/format.js";
import { failureText } from "../../page/help.js";
import { laneChart } from "./laneChart.js";
import { stageParts } from "./stageParts.js";
import { type StepKernel, stepBuffers } from "./stepKernels.js";

/** The cost of a step on the reader's machine: bytes of the buffers, and milliseconds of the kernels where measured. */
interface StepCosts {
  pipeline: string;
  message: string | Node;
  allocated?: Record<string, number> | undefined;
  times?: Record<string, number> | undefined;
}

/** Trains a job for some steps and measures them. */
export async function* stepCosts(
  engine: BrowserEngine,
  config: TrainConfig,
  image: Image,
): AsyncGenerator<StepCosts, void, void> {
  const { pipeline } = config;
  const jobText = `${count(config.blobs)} blobs on ${image.width} × ${image.height} pixels`;
  if (engine.kind === "cpu") {
    const message = "This page has no GPU, so no kernel runs and no buffer is created here.";
    return yield { pipeline, message: `${message} With a GPU this shows the bytes and times of ${jobText}.` };
  }
  yield { pipeline, message: `Measuring a step of ${pipeline} with ${jobText}.` };
  try {
    const opened = await engine.backend(pipeline).open(config, image);
    try {
      await opened.advance(8);
      const { stageTimes: times } = await opened.statistics();
      const allocated = await opened.allocated?.();
      const timesNote = times ? "with the time of each kernel in one step" : "this adapter has no timestamps";
      yield { pipeline, message: `${jobText}: the bytes of each buffer, ${timesNote}.`, allocated, times };
    } finally {
      await opened.free();
    }
  } catch (error) {
    yield { pipeline, message: failureText("This step could not be measured", error as Error) };
  }
}

/** Returns a figure of the kernels of a step and the buffers between them, with their costs and the code of the chosen one. */
export async function stepFlow(
  shaders: ShaderLibrary,
  kernels: StepKernel[],
  kernel: StepKernel,
  { pipeline, message, allocated, times }: StepCosts,
  choose: (kernel: StepKernel) => void,
): Promise<HTMLElement> {
  const { name, file, uses } = kernel;
  const isEntry = (candidate: string) => /^fn main\b/m.test(shaders.get(candidate)!);
  const entry = filesOf(shaders, file).find(isEntry)!;
  const text = shaders.get(entry)!;
  const useItems = ["reads", "reads and writes", "writes"].flatMap((kind) =>
    uses.flatMap(({ variable: { name, type }, use }) =>
      use === kind ? [html`<li>${kind} <code>${name}</code>: ${bufferDescriptions[name] ?? type}</li>`] : [],
    ),
  );
  const description = [descriptionOf(text), html`<ul class="flow-uses">${useItems}</ul>`];
  const parts = await stageParts(name, description, `${entry}#main`, cpuReferencesIn(shaders.get(file))[0]);
  const chart = laneChart({
    label: `The kernels of a step of ${pipeline}, and the buffers that they share`,
    stages: kernels.map(({ name, uses }) => {
      const note = times?.[name] === undefined ? (name === "imageMain" ? "draws" : undefined) : time(times[name]);
      return { name, note, uses, things: [`kernel:${name}`, `stage:${pipeline}/${name}`] };
    }),
    lanes: stepBuffers(kernels).map(({ name }) => {
      const bytes = allocated?.[name];
      return { name, note: bytes === undefined ? undefined : bytesText(bytes), things: [`buffer:${name}`] };
    }),
    isCycle: true,
    chosen: name,
    choose: (name) => choose(kernels.find((kernel) => kernel.name === name)!),
  });
  return figure(
    {
      title: "Kernels of a step and the buffers between them",
      alt: "Kernels from left to right in the order of a step, buffers in lanes below them. Lines lead from the kernel that writes a buffer to the one that reads it; what the update writes goes to the next step.",
      note: "A solid line leads from the kernel that writes a buffer to the one that reads it, a dashed one to the next step. Choose a kernel to read its code.",
      isWide: true,
    },
    phoneViews("kernels of a step", {
      Chart: html`<div>${chart}<p class="flow-words" role="status">${message}</p></div>`,
      ...parts,
    }),
  );
}
