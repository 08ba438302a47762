import { CpuPipeline } from "../../src/engine/cpu/pipeline.js";
import { sha256 } from "../../src/engine/sha256.js";
import { modelName, models, scene, sceneOf } from "./scenes.js";

/** Returns the SHA-256 of the results of the cpu pipeline after a few steps, for each model. */
export async function cpuBits(): Promise<Record<string, string>> {
  const jobs = models.map((model) => ({
    name: modelName(model),
    job: sceneOf(model, { schedule: "cosine", finalRate: 0.1, biasCorrection: "exact", blobs: 200, seed: 31 }, 70, 50),
  }));
  jobs.push({ name: "the preset baseline", job: scene({ blobs: 200, covarianceScale: 0.01 }, 70, 50) });
  const bits: Record<string, string> = {};
  for (const { name, job } of jobs) {
    const pipeline = new CpuPipeline(job.config, job.image, job.state);
    await pipeline.advance(5);
    const { parameters, firstMoments, secondMoments } = await pipeline.state();
    const { data } = await pipeline.render({ width: 41, height: 67 });
    const numbers = [parameters, firstMoments, secondMoments, await pipeline.gradients(), data];
    bits[name] = await sha256(new Uint8Array(await new Blob(numbers as BlobPart[]).arrayBuffer()));
  }
  return bits;
}

/** Computes them in a page, from the bundle of this module. */
export const cpuBitsOfPage = 'import("/cpuBits.js").then(({ cpuBits }) => cpuBits())';
