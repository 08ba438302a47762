import { type AttachedFile, FileAttachment } from "observablehq:stdlib";
import { unmarked } from "../../../engine/marks.js";
import type { Trial } from "../../../engine/model/trial.js";
import { browserPort } from "../../../host/browser/browserWorker.js";
import { WorkerClient } from "../../../host/workerClient.js";
import type { TrialHost } from "./checkAnswer.js";
import { linkReference, type TrialFile, trialFiles } from "./linkReference.js";
import type { TrialRequest } from "./trialWorker.js";

/** The sources of the CPU reference. Framework needs each name as a literal. */
const files: Record<TrialFile, AttachedFile> = {
  "sha256.ts": FileAttachment("../../../engine/sha256.ts"),
  "concat.ts": FileAttachment("../../../engine/concat.ts"),
  "image/image.ts": FileAttachment("../../../engine/image/image.ts"),
  "model/blobs.ts": FileAttachment("../../../engine/model/blobs.ts"),
  "model/accumulate.ts": FileAttachment("../../../engine/model/accumulate.ts"),
  "model/adam.ts": FileAttachment("../../../engine/model/adam.ts"),
  "model/blob.ts": FileAttachment("../../../engine/model/blob.ts"),
  "model/blend.ts": FileAttachment("../../../engine/model/blend.ts"),
  "model/bounds.ts": FileAttachment("../../../engine/model/bounds.ts"),
  "model/uv.ts": FileAttachment("../../../engine/model/uv.ts"),
  "model/rates.ts": FileAttachment("../../../engine/model/rates.ts"),
  "model/shortList.ts": FileAttachment("../../../engine/model/shortList.ts"),
  "model/tileLists.ts": FileAttachment("../../../engine/model/tileLists.ts"),
  "model/renderTasks.ts": FileAttachment("../../../engine/model/renderTasks.ts"),
  "model/rasterize.ts": FileAttachment("../../../engine/model/rasterize.ts"),
  "model/trial.ts": FileAttachment("../../../engine/model/trial.ts"),
};

/** Milliseconds after which a trial is ended: a scene takes a fraction of a second. */
const timeLimit = 10_000;

async function toCommonJs(typescript: string): Promise<string> {
  const { transform }: typeof import("sucrase") = await import("npm:sucrase");
  return transform(typescript, { transforms: ["typescript", "imports"] }).code;
}

let shipped: Promise<[TrialFile, string][]> | undefined;

/** Returns the shipped files as CommonJS modules, converted once per page. */
function shippedModules(): Promise<[TrialFile, string][]> {
  const convert = async (file: TrialFile): Promise<[TrialFile, string]> => [
    file,
    await toCommonJs(await files[file].text()),
  ];
  shipped ??= Promise.all(trialFiles.map(convert));
  return shipped;
}

/** Runs the CPU reference with an edited file in a worker, which is ended if it takes too long. */
export const referenceTrials: TrialHost = {
  source: async (file) => unmarked(await files[file as TrialFile].text()),
  async run({ file, text }, { config, image, parameters, steps }) {
    const modules = new Map<string, string>(await shippedModules()).set(file, await toCommonJs(text));
    const code = linkReference((name) => modules.get(name)!);
    const port = browserPort(new Worker(import.meta.resolve("./trialWorker.js"), { type: "module" }));
    const worker = new WorkerClient<TrialRequest, Trial>(port, "The trial");
    const error = new Error(`The code did not end within ${timeLimit / 1000} seconds.`);
    const timer = setTimeout(() => worker.end(error), timeLimit);
    try {
      return await worker.ask({ code, config, image, parameters, steps });
    } finally {
      clearTimeout(timer);
      worker.end(new Error("The trial has ended."));
    }
  },
};
