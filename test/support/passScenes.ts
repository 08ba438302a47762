import type { PipelineName } from "../../src/engine/config.js";
import { clampedScene, directScene, modelName, models, type Scene, scene, sceneOf, setParameter } from "./scenes.js";

/** Scenes in which one pass of each pipeline is compared with the reference, by description. */
export function passScenes(pipeline: PipelineName): [title: string, job: () => Scene][] {
  const cases: [title: string, job: () => Scene][] = [];
  for (const background of ["original", "white"] as const) {
    const suffix = `${background} background`;
    cases.push([`at a random start, ${suffix}`, () => scene({ pipeline, background })]);
    cases.push([
      `where all blobs overlap, ${suffix}`,
      () => overlapBlobs(scene({ pipeline, background, blobs: 30, seed: 3 }), [1, 1]),
    ]);
    cases.push([
      `where blobs are nearly opaque and pixels reach the 1/255 stop, ${suffix}`,
      () => {
        const job = scene({ pipeline, background, blobs: 30, seed: 4 });
        setParameter(job, 8, 0.93);
        return job;
      },
    ]);
    cases.push([
      `where blobs sit on the image's edge and corners, ${suffix}`,
      () => {
        const job = scene({ pipeline, background, blobs: 16, seed: 5 });
        for (let blob = 0; blob < 16; blob++) {
          setParameter(job, 0, blob % 2 ? 0.02 : 0.98, blob);
          setParameter(job, 1, blob % 4 < 2 ? 0.03 : 0.5, blob);
        }
        return job;
      },
    ]);
  }
  cases.push(["where each pixel's gradients are clamped", () => clampedScene(pipeline)]);
  for (const model of models) {
    cases.push([`at a random start, ${modelName(model)}`, () => sceneOf(model, { pipeline, seed: 11 })]);
  }
  for (const model of models.filter(({ background }) => background === "black")) {
    const isDirect = model.parameterization === "direct";
    cases.push([
      `where all blobs overlap and are nearly opaque, ${modelName(model)}`,
      () => {
        const job = overlapBlobs(sceneOf(model, { pipeline, blobs: 30, seed: 13 }), isDirect ? [20, 14] : [1, 1]);
        setParameter(job, 8, isDirect ? 5 : 0.93);
        return job;
      },
    ]);
  }
  cases.push([
    "where direct blobs are thinner than a pixel and strongly tilted",
    () => {
      const job = directScene({ pipeline, blobs: 16, seed: 16 });
      for (let blob = 0; blob < 16; blob++) {
        setParameter(job, 2 + (blob % 2), Math.log(0.1), blob);
        setParameter(job, 4, blob % 4 < 2 ? 2.5 : -2.5, blob);
      }
      return job;
    },
  ]);
  cases.push([
    "where each pixel's gradients are clamped, blend sum",
    () => clampedScene(pipeline, { blend: "sum", background: "white" }),
  ]);
  for (const tile of ["1x1", "5x3", "16x8", "16x16"]) {
    const size = tile === "1x1" ? 6 : 19;
    const makeScene = () => scene({ pipeline, tile, blobs: 20, seed: 6 }, size, size);
    cases.push([`with tiles of ${tile}, which need not divide the image`, makeScene]);
  }
  return cases;
}

/** Returns a scene of two direct blobs on one pixel, with large gradients that are not clamped. */
export function steepScene(pipeline: PipelineName): Scene {
  const job = directScene({ pipeline, blobs: 2 }, 1, 1);
  for (const [field, value] of [0.3, -0.2, 0, 0, 0.5, 900, -500, 200, 0].entries()) setParameter(job, field, value);
  return job;
}

/** Moves all blobs near the centre of the image. */
function overlapBlobs(job: Scene, [width, height]: [number, number]): Scene {
  for (let blob = 0; blob < job.config.blobs; blob++) {
    setParameter(job, 0, width * (0.5 + 0.002 * blob), blob);
    setParameter(job, 1, height * (0.5 - 0.001 * blob), blob);
  }
  return job;
}
