import { ConfigError, listCapacity, type TrainConfig } from "../config.js";
import type { Image, Picture, Size } from "../image/image.js";
import { corrections } from "../model/adam.js";
import type { TrainingState } from "../model/blobs.js";
import { ratesAt } from "../model/rates.js";
import type { AdvanceOptions, Backend, Measured, Pipeline, Rendering, StepStatistics, Tiles } from "../pipeline.js";
import { gradientNorms, shortListStatistics } from "../statistics.js";
import { initialState } from "../training/initialState.js";
import { Turns } from "../turns.js";
import { type Crew, OwnThread } from "./crew.js";
import { Kernel } from "./kernel.js";

/** The CPU engine: WebAssembly in float32. The same config gives the same bits, whoever computes the parts. */
export class CpuPipeline implements Pipeline {
  readonly description: string;
  step: number;
  readonly #config: TrainConfig;
  readonly #image: Image;
  readonly #kernel: Kernel;
  readonly #frozen: Uint8Array | undefined;
  #loss = Number.NaN;
  /** The lengths of the tiles' lists at the latest step; none where that is of other parameters. */
  #lengths: Uint32Array | undefined;
  readonly #crew: Crew;
  /** What is recorded and not told yet. */
  readonly #measured: Measured[] = [];
  readonly #turns = new Turns();
  #freed = false;

  /** @param crew the threads that compute its parts; this thread if absent */
  constructor(config: TrainConfig, image: Image, state: TrainingState, crew: Crew = ownThread) {
    this.description = crew.description;
    this.#config = config;
    this.#image = image;
    this.#crew = crew;
    this.#kernel = new Kernel({ config, size: sizeOf(image), target: image });
    this.step = state.step;
    this.#frozen = state.frozen;
    this.#setState(state);
  }

  advance(steps: number, options: AdvanceOptions = {}): Promise<number> {
    const { signal, milliseconds = Number.POSITIVE_INFINITY, horizon = this.#config.steps, recordEvery } = options;
    return this.#inTurn(async () => {
      const end = performance.now() + milliseconds;
      let done = 0;
      for (; done < steps; done++) {
        if (done > 0 && performance.now() >= end) break;
        if (signal?.aborted || !(await this.#computeDerivatives(signal))) break;
        this.#updateBlobs(horizon);
        if (recordEvery !== undefined && this.step % recordEvery === 0) this.#record();
      }
      if (recordEvery !== undefined && done > 0) this.#record();
      return done;
    });
  }

  measured(): Promise<Measured[]> {
    return this.#inTurn(async () => this.#measured.splice(0));
  }

  statistics(): Promise<StepStatistics> {
    return this.#inTurn(async () => this.#statistics());
  }

  state(): Promise<TrainingState> {
    return this.#inTurn(async () => {
      const [first, second] = this.#kernel.moments;
      const parameters = this.#kernel.parameters.slice();
      const state = { step: this.step, parameters, firstMoments: first.slice(), secondMoments: second.slice() };
      return this.#frozen ? { ...state, frozen: this.#frozen } : state;
    });
  }

  load(state: TrainingState): Promise<void> {
    return this.#inTurn(async () => {
      this.step = state.step;
      this.#setState(state);
      this.#lengths = undefined;
      this.#measured.length = 0;
    });
  }

  gradients(): Promise<Float32Array> {
    return this.#inTurn(async () => this.#kernel.gradients.slice());
  }

  computeGradients(): Promise<Float32Array> {
    return this.#inTurn(async () => {
      await this.#computeDerivatives();
      return this.#kernel.gradients.slice();
    });
  }

  render(size: Size): Promise<Rendering> {
    return this.#inTurn(async () => {
      const { width, height } = size;
      const isTargetSize = width === this.#image.width && height === this.#image.height;
      const picture = isTargetSize
        ? await drawKernel(this.#crew, this.#kernel, () => this.#freed)
        : await drawAt(this.#crew, this.#config, this.#image, this.#kernel.parameters, size, () => this.#freed);
      return { ...picture, step: this.step };
    });
  }

  tiles(): Promise<Tiles> {
    return this.#inTurn(async () => this.#tiles());
  }

  free(): Promise<void> {
    this.#freed = true;
    return this.#turns.take(async () => this.#crew.forget(this.#kernel));
  }

  #setState({ parameters, firstMoments, secondMoments }: TrainingState): void {
    this.#kernel.setParameters(parameters);
    const [first, second] = this.#kernel.moments;
    first.set(firstMoments);
    second.set(secondMoments);
  }

  #statistics(): StepStatistics {
    const shortLists = shortListStatistics(this.#tiles());
    return { loss: this.#loss, gradientNorms: gradientNorms(this.#kernel.gradients), shortLists };
  }

  #record(): void {
    if (this.#measured.at(-1)?.step !== this.step) this.#measured.push({ step: this.step, ...this.#statistics() });
  }

  #tiles(): Tiles {
    const { tile, tiles, parts } = this.#kernel;
    if (!this.#lengths) {
      this.#lengths = new Uint32Array(tiles.count);
      for (let part = 0; part < parts; part++) this.#keepLengths(this.#lengths, part, this.#kernel.list(part));
    }
    const lengths = this.#lengths.slice();
    const passes = lengths.map((length) => Math.max(1, Math.ceil(length / listCapacity(this.#config))));
    return { size: tile, across: tiles.across, down: tiles.down, lengths, passes };
  }

  #keepLengths(lengths: Uint32Array, part: number, offsets: Uint32Array): void {
    const { left, top, right, bottom } = this.#kernel.tilesOf(part);
    let t = 0;
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++, t++) {
        lengths[row * this.#kernel.tiles.across + column] = offsets[t + 1] - offsets[t];
      }
    }
  }

  /** One forward and backward pass; one that is given up leaves everything as it was. */
  async #computeDerivatives(signal?: AbortSignal): Promise<boolean> {
    const lengths = new Uint32Array(this.#kernel.tiles.count);
    let squaredError = 0;
    this.#kernel.beginSum();
    const complete = await this.#crew.work(
      "differentiate",
      this.#kernel,
      (derivatives, part) => {
        squaredError += derivatives.squaredError;
        this.#kernel.add(derivatives);
        this.#keepLengths(lengths, part, derivatives.tileOffsets);
      },
      () => this.#freed || signal?.aborted === true,
    );
    if (!complete) return false;
    this.#kernel.keepSum();
    this.#lengths = lengths;
    this.#loss = squaredError / (this.#image.width * this.#image.height);
    return true;
  }

  #updateBlobs(horizon: number): void {
    this.step++;
    const { biasCorrection } = this.#config;
    this.#kernel.update(
      ratesAt(this.#config, this.step, horizon),
      corrections(biasCorrection, this.step),
      this.#frozen,
    );
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take(() => {
      if (this.#freed) throw new Error("This pipeline has been freed.");
      return work();
    });
  }
}

function sizeOf({ width, height }: Size): Size {
  return { width, height };
}

/** Draws a kernel's blobs at the size of its image. */
async function drawKernel(crew: Crew, kernel: Kernel, stopped = () => false): Promise<Picture> {
  const { width, height } = kernel.setup.size;
  const picture = { width, height, data: new Float32Array(4 * width * height) };
  await crew.work("draw", kernel, (pixels, part) => kernel.place(part, pixels, picture), stopped);
  return picture;
}

/** Draws blobs that learned an image of one size at another, with a kernel of their own. */
async function drawAt(
  crew: Crew,
  config: TrainConfig,
  learned: Size,
  parameters: Float32Array,
  at: Size,
  stopped?: () => boolean,
): Promise<Picture> {
  const target = { ...sizeOf(learned), data: new Uint8ClampedArray() };
  const kernel = new Kernel({ config, size: sizeOf(at), target });
  kernel.setParameters(parameters);
  const picture = await drawKernel(crew, kernel, stopped);
  crew.forget(kernel);
  return picture;
}

const ownThread = new OwnThread();

/** With their lists blobs take about half a kilobyte each, and WebAssembly has 4 GiB at the most. */
const mostBlobs = 2_000_000;

function checkBlobs({ blobs }: TrainConfig): void {
  if (blobs > mostBlobs) throw new ConfigError("blobs", blobs, `at most ${mostBlobs} on the CPU`);
}

/** The CPU engine, with a crew of one's own. */
export function cpuBackendWith(crew: Crew): Backend {
  return {
    description: crew.description,
    check: checkBlobs,
    async open(config, image, state = initialState(config, image)) {
      return new CpuPipeline(config, image, state, crew);
    },
    async draw({ config, size, parameters, at }) {
      checkBlobs(config);
      return drawAt(crew, config, size, parameters, at);
    },
  };
}

/** The CPU engine on the calling thread. */
export const cpuBackend: Backend = cpuBackendWith(ownThread);
