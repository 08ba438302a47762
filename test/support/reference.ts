import { createHash } from "node:crypto";
import type { TrainConfig } from "../../src/engine/config.js";
import type { FloatImage, Image, Size } from "../../src/engine/image/image.js";
import { corrections, updateBlobs } from "../../src/engine/model/adam.js";
import { stateOf, type TrainingState } from "../../src/engine/model/blobs.js";
import { oracle } from "../../src/engine/model/oracle.js";
import { draw } from "../../src/engine/model/rasterize.js";
import { ratesAt } from "../../src/engine/model/rates.js";
import { tiledBlobs } from "../../src/engine/model/tiledBlobs.js";
import { gradientNorms } from "../../src/engine/statistics.js";

/** Results of `evaluateOnce` by the contents of their arguments. */
const evaluated = new Map<string, ReturnType<typeof oracle>>();

/** Returns `oracle`'s result, which is computed once for all pipelines, kernel variants and checks of a scene. */
function evaluateOnce(config: TrainConfig, image: Image, parameters: Float64Array): ReturnType<typeof oracle> {
  const key = contentKey(config, image, parameters);
  const result = evaluated.get(key) ?? oracle(config, image, parameters);
  evaluated.set(key, result);
  return { ...result, gradients: result.gradients.slice() };
}

/** Returns a hash of a scene, which is the same in all pipelines. */
function contentKey(config: TrainConfig, { width, height, data }: Image, parameters: Float64Array): string {
  const settings = JSON.stringify([{ ...config, pipeline: undefined }, width, height]);
  return createHash("sha1").update(settings).update(data).update(new Uint8Array(parameters.buffer)).digest("hex");
}

/** The CPU reference of a job, in float64, with which all pipelines are compared. */
export class Reference {
  readonly #config: TrainConfig;
  readonly #image: Image;
  #step: number;
  #parameters: Float64Array;
  readonly #firstMoments: Float64Array;
  readonly #secondMoments: Float64Array;

  constructor(config: TrainConfig, image: Image, state: TrainingState) {
    this.#config = config;
    this.#image = image;
    this.#step = state.step;
    this.#parameters = Float64Array.from(state.parameters);
    this.#firstMoments = Float64Array.from(state.firstMoments);
    this.#secondMoments = Float64Array.from(state.secondMoments);
  }

  /** Returns loss and gradients, at the job's own parameters by default. */
  evaluate(parameters: ArrayLike<number> = this.#parameters): { loss: number; gradients: Float64Array } {
    return evaluateOnce(this.#config, this.#image, Float64Array.from(parameters));
  }

  /** Returns the loss and the gradient norm of each parameter group. */
  statistics() {
    const { loss, gradients } = this.evaluate();
    return { loss, gradientNorms: gradientNorms(gradients) };
  }

  render(size: Size): FloatImage {
    const { width, height } = size;
    return { width, height, data: draw(tiledBlobs(this.#config, this.#image, this.#parameters, size)) };
  }

  advance(steps: number): void {
    for (let done = 0; done < steps; done++) {
      this.#step++;
      updateBlobs(
        this.#parameters,
        this.#firstMoments,
        this.#secondMoments,
        this.evaluate().gradients,
        ratesAt(this.#config, this.#step),
        corrections(this.#config.biasCorrection, this.#step),
      );
    }
  }

  state(): TrainingState {
    return {
      ...stateOf(new Float32Array(this.#parameters), this.#step),
      firstMoments: new Float32Array(this.#firstMoments),
      secondMoments: new Float32Array(this.#secondMoments),
    };
  }
}
