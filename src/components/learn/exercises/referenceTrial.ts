import type { Trial } from "../../../engine/model/trial.js";
import { browserPort } from "../../../host/browser/browserWorker.js";
import { WorkerClient } from "../../../host/workerClient.js";
import { markedReference, referenceText } from "../../kernels/cpuReferences.js";
import type { ReferenceFile } from "../../kernels/kernelHeader.js";
import type { TrialHost } from "./checkAnswer.js";
import { linkReference, type TrialFile, trialFiles } from "./linkReference.js";
import type { TrialRequest } from "./trialWorker.js";

/** Milliseconds after which a trial is ended: a scene takes a fraction of a second. */
const timeLimit = 10_000;

async function toCommonJs(typescript: string): Promise<string> {
  const { transform }: typeof import("sucrase") = await import("npm:sucrase");
  return transform(typescript, { transforms: ["typescript", "imports"] }).code;
}

let shipped: Promise<[TrialFile, string][]> | undefined;

/** Returns the shipped files as CommonJS modules, converted once per page. */
function shippedModules(): Promise<[TrialFile, string][]> {
  shipped ??= Promise.all(trialFiles.map(async (file) => [file, await toCommonJs(await markedReference(file))]));
  return shipped;
}

/** Runs the CPU reference with an edited file in a worker, which is ended if it takes too long. */
export const referenceTrials: TrialHost = {
  source: (file) => referenceText(file as ReferenceFile),
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
