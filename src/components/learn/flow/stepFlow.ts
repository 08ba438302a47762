import { completeConfig, type PipelineName, type TrainConfig } from "../../../engine/config.js";
import { headOf } from "../../../engine/gpu/declarations.js";
import type { AdapterTraits } from "../../../engine/gpu/device.js";
import type { Image, Size } from "../../../engine/image.js";
import { adapterTraits } from "../../../host/adapter.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { element, setText, uniqueId } from "../../element.js";
import { bytesText, count, time } from "../../format.js";
import { bufferWords } from "../../kernels/bufferWords.js";
import { twins } from "../../kernels/twinTable.js";
import type { Lab } from "../../lab/lab.js";
import { whenSeen } from "../../seen.js";
import { learnFigure } from "../learnFigure.js";
import { whileShown } from "../whileShown.js";
import { chosenCode } from "./chosenCode.js";
import { type LaneDiagram, laneDiagram } from "./laneDiagram.js";
import { accountName, type StepKernel, shownPipelines, stepBuffers, stepKernels } from "./stepModel.js";

/** Where a page has no adapter, kernels are chosen as for one that tells nothing of itself. */
const plainAdapter: AdapterTraits = { isSoftware: false, subgroupSize: undefined };
/** Without a lab: a job as the seeds' browser demo. */
const plainJob: { config: TrainConfig; image: Size } = {
  config: completeConfig({ blobs: 20480, tile: [16, 16], gaussiansPerBlock: 256 }),
  image: { width: 512, height: 512 },
};
/** Keeps the place of what is told later. */
const noNote = "\u00a0";
/** Steps after which the times of the stages are read. */
const warmUp = 8;

/**
 * The kernels of a training step and the buffers between them.
 * @param lab whose job the bytes and times are of; without one, those of the seeds' browser demo, not timed
 */
export function stepFlow(engine: BrowserEngine, lab?: Lab): HTMLElement {
  let pipeline: PipelineName = shownPipelines[0];
  let adapter = plainAdapter;
  let chosenKernel = "computeDerivatives";
  let diagram: LaneDiagram | undefined;
  let kernels: StepKernel[] = [];
  const chosen = chosenCode(engine.shaders);
  const place = element("div", { class: "step-flow" });
  const status = element("p", { class: "step-flow-status", role: "status" });
  const job = () => {
    const run = lab?.run;
    return run ? { config: run.config, image: run.target.image as Size } : plainJob;
  };
  const configOf = () => ({ ...job().config, pipeline });

  const choose = (name: string) => {
    chosenKernel = name;
    const kernel = kernels.find((one) => one.name === name)!;
    diagram?.show(name);
    const those = (kind: string) => kernel.uses.filter(({ use }) => use === kind);
    const words = ["reads", "reads and writes", "writes"].flatMap((kind) =>
      those(kind).map(({ variable }) =>
        element(
          "li",
          {},
          `${kind} `,
          element("code", {}, variable.name),
          `: ${bufferWords[variable.name] ?? variable.type}`,
        ),
      ),
    );
    chosen.show({
      title: name,
      words: [
        headOf(engine.shaders.get(kernel.file)!).replace(/\s*Twin:.*$/, ""),
        element("ul", { class: "flow-uses" }, ...words),
      ],
      file: kernel.file,
      from: mainOf(engine.shaders.get(kernel.file)!),
      twin: twins[kernel.file]?.[0],
    });
  };
  const draw = () => {
    kernels = stepKernels(engine.shaders, configOf(), adapter, job().image);
    const buffers = stepBuffers(kernels);
    diagram = laneDiagram({
      label: `The kernels of a step of ${pipeline}, and the buffers that they share`,
      corner: "buffer",
      stages: kernels.map(({ name }) => ({
        name,
        note: name === "imageMain" ? "draws" : noNote,
        things: [`kernel:${name}`, `stage:${pipeline}/${name}`],
      })),
      lanes: buffers.map(({ name }) => ({ name, note: noNote, things: [`buffer:${name}`] })),
      use: (stage, lane) =>
        kernels.find(({ name }) => name === stage)?.uses.find(({ variable }) => variable.name === lane)?.use,
      isCycle: true,
      choose,
    });
    place.replaceChildren(diagram.node);
    choose(kernels.some(({ name }) => name === chosenKernel) ? chosenKernel : kernels[0].name);
    tellJob();
  };

  const accounts = new Map<string, Promise<Measured>>();
  const tellJob = () => {
    const shown = diagram;
    const { config, image } = job();
    const size = `${count(config.blobs)} blobs on ${image.width} × ${image.height} pixels`;
    const target = lab?.run?.target.image;
    if (engine.kind === "cpu" || !target) {
      const because =
        engine.kind === "cpu" ? "This page has no GPU, so no kernel runs and no buffer is made here." : "";
      setText(status, `${because} With a GPU you see here the bytes and times of ${size}.`.trim());
      return;
    }
    setText(status, `A step of ${pipeline} with ${size} is measured.`);
    const key = JSON.stringify([pipeline, config.blobs, image.width, image.height]);
    if (!accounts.has(key)) accounts.set(key, measure(engine, configOf(), target));
    accounts.get(key)!.then(
      ({ allocated, times }) => {
        if (shown !== diagram) return;
        for (const { name } of stepBuffers(kernels)) {
          const bytes = allocated?.[accountName(name)];
          shown?.tell(name, bytes === undefined ? noNote : bytesText(bytes));
        }
        for (const [name, milliseconds] of Object.entries(times ?? {})) shown?.tell(name, time(milliseconds));
        const timed = times ? "with the time of each kernel in one step" : "this adapter has no timestamps";
        setText(status, `${size}: the bytes of each buffer, ${timed}.`);
      },
      (error: Error) => setText(status, `This step could not be measured: ${error.message}`),
    );
  };

  const name = uniqueId("pipeline");
  const radios = shownPipelines.map((value) =>
    element(
      "label",
      {},
      element("input", {
        type: "radio",
        name,
        value,
        checked: value === pipeline,
        onchange: () => {
          pipeline = value;
          draw();
        },
      }),
      value,
    ),
  );
  const node = learnFigure(
    {
      title: "The kernels of a step, and the buffers between them",
      alt:
        "Kernels from left to right in the order of a step, buffers in lanes below them. Lines lead from who writes a " +
        "buffer to who reads it; what the update writes goes back to the next step.",
      note: "Follow a lane: a full line leads from who wrote the buffer to who reads it, a broken one on to the next step. Choose a kernel to read it.",
      isWide: true,
    },
    element("fieldset", { class: "switch" }, element("legend", {}, "Pipeline"), ...radios),
    place,
    status,
    chosen.node,
  );
  draw();
  whenSeen(node, () => {
    if (engine.kind === "cpu") return;
    void adapterTraits().then((traits) => {
      adapter = traits ?? plainAdapter;
      draw();
    });
  });
  // The lab's own pipeline is timed by the lab, step after step.
  const tellTimes = () => {
    const times = lab?.run?.latest?.stageTimes;
    if (!times || lab?.run?.config.pipeline !== pipeline) return;
    for (const [stage, milliseconds] of Object.entries(times)) diagram?.tell(stage, time(milliseconds));
  };
  const ignore = lab?.observe(whileShown(node, tellTimes, () => ignore?.()));
  return node;
}

interface Measured {
  allocated: Record<string, number> | undefined;
  times: Record<string, number> | undefined;
}

/** Opens the job on a pipeline of its own, takes some steps and reads what they took. */
async function measure(engine: BrowserEngine, config: TrainConfig, image: Image): Promise<Measured> {
  const pipeline = await engine.backend(config.pipeline).open(config, image);
  try {
    await pipeline.advance(engine.kind === "gpu" ? warmUp : 1);
    const { stageTimes } = await pipeline.statistics();
    return { allocated: await pipeline.allocated?.(), times: stageTimes };
  } finally {
    await pipeline.free();
  }
}

/** The line with which a kernel's entry point begins. */
function mainOf(text: string): string | undefined {
  return text.split("\n").find((line) => /^fn main\b/.test(line));
}
