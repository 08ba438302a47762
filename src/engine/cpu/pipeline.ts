import { parameterCount, type TrainingState } from "../blobs.js";
import { ConfigError, type TrainConfig } from "../config.js";
import type { Image, Picture } from "../image.js";
import type { Backend, Pipeline, Size, StepStatistics, Tiles } from "../pipeline.js";
import { gradientNorms, shortListStatistics } from "../statistics.js";
import { Turns } from "../turns.js";
import { clampGradient } from "./accumulate.js";
import { corrections, updateBlobs } from "./adam.js";
import {
  alphaBlendBackward,
  clearPixelState,
  compositeChannel,
  lossBackward,
  type PixelState,
  transformPixelState,
  undoPixelState,
} from "./blend.js";
import { alphaOf, type Blob, type BlobValues, decodeAll, evalBackward, evalFalloff } from "./blob.js";
import { binBlobs, type TileLists } from "./tileLists.js";
import { calcUV, tileOrigin } from "./uv.js";

/** Arithmetic is float64 throughout; this is how parameters, gradients and moments are kept between steps. */
export type Precision = Float32ArrayConstructor | Float64ArrayConstructor;

type Numbers = Float32Array | Float64Array;

/** Decoded blobs take about half a kilobyte each, and engines give scripts some gigabytes at the most. */
const mostBlobs = 2_000_000;

/** Milliseconds of work before the thread is given back. */
const slice = 12;

/**
 * The CPU engine: every stage's twin, put together. With Float64Array it is the oracle of the tests, with
 * Float32Array what trains where there is no GPU.
 */
export class CpuPipeline implements Pipeline {
  readonly description = "CPU";
  step: number;
  readonly #config: TrainConfig;
  readonly #image: Image;
  readonly #parameters: Numbers;
  readonly #firstMoments: Numbers;
  readonly #secondMoments: Numbers;
  readonly #gradients: Numbers;
  #loss = Number.NaN;
  #lists: TileLists | undefined;
  readonly #turns = new Turns();
  #sliceStart = performance.now();
  #freed = false;

  constructor(config: TrainConfig, image: Image, state: TrainingState, precision: Precision = Float32Array) {
    this.#config = config;
    this.#image = image;
    this.step = state.step;
    this.#parameters = new precision(state.parameters);
    this.#firstMoments = new precision(state.firstMoments);
    this.#secondMoments = new precision(state.secondMoments);
    this.#gradients = new precision(state.parameters.length);
  }

  advance(steps: number, signal?: AbortSignal): Promise<number> {
    return this.#inTurn(async () => {
      for (let done = 0; done < steps; done++) {
        if (signal?.aborted) return done;
        if (!(await this.#inSlices(this.#computeDerivatives(), signal))) {
          // No half of a step stays behind.
          this.#gradients.fill(0);
          return done;
        }
        this.#updateBlobs();
      }
      return steps;
    });
  }

  statistics(): Promise<StepStatistics> {
    return this.#inTurn(async () => {
      const shortLists = shortListStatistics(this.#tiles());
      return { loss: this.#loss, gradientNorms: gradientNorms(this.#gradients), shortLists };
    });
  }

  state(): Promise<TrainingState> {
    return this.#inTurn(async () => ({
      step: this.step,
      parameters: new Float32Array(this.#parameters),
      firstMoments: new Float32Array(this.#firstMoments),
      secondMoments: new Float32Array(this.#secondMoments),
    }));
  }

  gradients(): Promise<Float32Array> {
    return this.#inTurn(async () => new Float32Array(this.#gradients));
  }

  computeGradients(): Promise<Float32Array> {
    return this.#inTurn(async () => {
      await this.#inSlices(this.#computeDerivatives());
      return new Float32Array(this.#gradients);
    });
  }

  render(size: Size): Promise<Picture> {
    return this.#inTurn(async () => {
      const picture = { ...size, data: new Float32Array(4 * size.width * size.height) };
      await this.#inSlices(this.#imageMain(picture));
      return picture;
    });
  }

  tiles(): Promise<Tiles> {
    return this.#inTurn(async () => this.#tiles());
  }

  free(): Promise<void> {
    this.#freed = true;
    return this.#turns.take(async () => {
      this.#lists = undefined;
    });
  }

  /** Loss and gradients at the present parameters, in float64 if that is how they are kept: for the oracle. */
  evaluate(parameters: ArrayLike<number> = this.#parameters): { loss: number; gradients: Numbers } {
    this.#parameters.set(parameters);
    for (const _ of this.#computeDerivatives());
    return { loss: this.#loss, gradients: this.#gradients.slice() };
  }

  #tiles(): Tiles {
    const { across, down, offsets } =
      this.#lists ?? this.#bin(decodeAll(this.#parameters, this.#config.covarianceScale));
    const lengths = Uint32Array.from({ length: across * down }, (_, tile) => offsets[tile + 1] - offsets[tile]);
    const passes = lengths.map((length) => Math.max(1, Math.ceil(length / this.#config.gaussiansPerBlock)));
    return { size: this.#config.tile, across, down, lengths, passes };
  }

  #bin(blobs: Blob[]): TileLists {
    return binBlobs(blobs, this.#image, calcUV(this.#image, this.#image), this.#config.tile);
  }

  /** Clears the gradients, then one forward and backward pass over every pixel, tile by tile. */
  *#computeDerivatives(): Generator<void> {
    const { width, height, data } = this.#image;
    const { composite, tile } = this.#config;
    const gradients = this.#gradients.fill(0);
    const decoded = decodeAll(this.#parameters, this.#config.covarianceScale);
    const uv = calcUV(this.#image, this.#image);
    const lists = this.#bin(decoded);
    const falloffs = new Float64Array(lists.longest);
    const state = newPixelState();
    const dState = newPixelState();
    const gradient = newBlobValues();
    const target = [0, 0, 0];
    const weight = 1 / (width * height);
    let loss = 0;
    for (let t = 0; t < lists.across * lists.down; t++) {
      const list = lists.blobs.subarray(lists.offsets[t], lists.offsets[t + 1]);
      const blobs = Array.from(list, (i) => decoded[i]);
      for (const { x, y } of tilePixels(t, lists.across, tile, this.#image)) {
        const u = x * uv.scaleX;
        const v = y * uv.scaleY;
        fineRasterize(blobs, u, v, state, falloffs);
        const pixel = 4 * (y * width + x);
        for (let channel = 0; channel < 3; channel++) target[channel] = data[pixel + channel] / 255;
        loss += lossBackward(state, target, composite, weight, dState);
        for (let index = state.finalCount; index > 0; index--) {
          const falloff = falloffs[index - 1];
          const blob = blobs[index - 1];
          const alpha = alphaOf(blob, falloff);
          undoPixelState(state, index, blob, alpha);
          if (falloff === 0) continue;
          const dAlpha = alphaBlendBackward(state, blob, alpha, dState, gradient);
          evalBackward(blob, u, v, falloff, dAlpha, gradient);
          accumulate(gradients, list[index - 1], gradient, blob.slope);
        }
      }
      yield;
    }
    this.#lists = lists;
    this.#loss = loss * weight;
  }

  #updateBlobs(): void {
    this.step++;
    updateBlobs(
      this.#parameters,
      this.#firstMoments,
      this.#secondMoments,
      this.#gradients,
      this.#config.learningRate,
      corrections(this.#config.biasCorrection, this.step),
    );
  }

  /** Forward alone, at any size. */
  *#imageMain({ width, height, data }: Picture): Generator<void> {
    const { composite, tile } = this.#config;
    const decoded = decodeAll(this.#parameters, this.#config.covarianceScale);
    const uv = calcUV({ width, height }, this.#image);
    const lists = binBlobs(decoded, { width, height }, uv, tile);
    const state = newPixelState();
    for (let t = 0; t < lists.across * lists.down; t++) {
      const blobs = Array.from(lists.blobs.subarray(lists.offsets[t], lists.offsets[t + 1]), (i) => decoded[i]);
      for (const { x, y } of tilePixels(t, lists.across, tile, { width, height })) {
        fineRasterize(blobs, x * uv.scaleX + uv.offsetX, y * uv.scaleY + uv.offsetY, state);
        const pixel = 4 * (y * width + x);
        data[pixel] = compositeChannel(state.red, state.transmittance, composite);
        data[pixel + 1] = compositeChannel(state.green, state.transmittance, composite);
        data[pixel + 2] = compositeChannel(state.blue, state.transmittance, composite);
        data[pixel + 3] = state.transmittance;
      }
      yield;
    }
  }

  /** Carries work out in slices, so that the thread stays responsive; false if it was aborted or freed meanwhile. */
  async #inSlices(work: Generator<void>, signal?: AbortSignal): Promise<boolean> {
    for (const _ of work) {
      // A slice may span many short steps, which would otherwise never give the thread back.
      if (performance.now() - this.#sliceStart < slice) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (this.#freed || signal?.aborted) return false;
      this.#sliceStart = performance.now();
    }
    return true;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take(() => {
      if (this.#freed) throw new Error("This pipeline has been freed.");
      return work();
    });
  }
}

/** Blends a tile's blobs into one pixel, front to back. Twin of shaders/tiled/fineRasterize.wgsl. */
function fineRasterize(blobs: Blob[], u: number, v: number, state: PixelState, falloffs?: Float64Array): void {
  clearPixelState(state);
  for (let index = 0; index < blobs.length; index++) {
    const falloff = evalFalloff(blobs[index], u, v);
    if (falloffs) falloffs[index] = falloff;
    if (!transformPixelState(state, blobs[index], alphaOf(blobs[index], falloff))) return;
  }
}

/** Adds one pixel's gradient of a blob, taken through its decoding and clamped, to the buffer. */
function accumulate(gradients: Numbers, i: number, gradient: BlobValues, slope: BlobValues): void {
  const blobs = gradients.length / parameterCount;
  gradients[i] += clampGradient(gradient.centerX * slope.centerX);
  gradients[blobs + i] += clampGradient(gradient.centerY * slope.centerY);
  gradients[2 * blobs + i] += clampGradient(gradient.varianceX * slope.varianceX);
  gradients[3 * blobs + i] += clampGradient(gradient.varianceY * slope.varianceY);
  gradients[4 * blobs + i] += clampGradient(gradient.correlation * slope.correlation);
  gradients[5 * blobs + i] += clampGradient(gradient.red * slope.red);
  gradients[6 * blobs + i] += clampGradient(gradient.green * slope.green);
  gradients[7 * blobs + i] += clampGradient(gradient.blue * slope.blue);
  gradients[8 * blobs + i] += clampGradient(gradient.opacity * slope.opacity);
}

/** The pixels of a tile that lie on the image. */
function* tilePixels(tile: number, across: number, size: [number, number], image: Size) {
  const origin = tileOrigin(tile, across, size);
  const right = Math.min(origin.x + size[0], image.width);
  const bottom = Math.min(origin.y + size[1], image.height);
  for (let y = origin.y; y < bottom; y++) for (let x = origin.x; x < right; x++) yield { x, y };
}

function newPixelState(): PixelState {
  return { red: 0.5, green: 0.5, blue: 0.5, transmittance: 0.5, finalCount: 0 };
}

function newBlobValues(): BlobValues {
  const half = 0.5;
  return {
    centerX: half,
    centerY: half,
    varianceX: half,
    varianceY: half,
    correlation: half,
    red: half,
    green: half,
    blue: half,
    opacity: half,
  };
}

/** The CPU engine on the calling thread. */
export const cpuBackend: Backend = {
  description: "CPU",
  check({ blobs }) {
    if (blobs > mostBlobs) throw new ConfigError("blobs", blobs, `at most ${mostBlobs} on the CPU`);
  },
  async open(config, image, state) {
    return new CpuPipeline(config, image, state);
  },
};
