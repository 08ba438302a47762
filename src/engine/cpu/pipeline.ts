import { ConfigError, listCapacity, type TrainConfig } from "../config.js";
import type { Image, Picture, Size } from "../image/image.js";
import { adamConstants, corrections, updateBlobs } from "../model/adam.js";
import { parameterCount, type TrainingState } from "../model/blobs.js";
import { ratesAt } from "../model/rates.js";
import type { AdvanceOptions, Backend, Measured, Pipeline, Rendering, StepStatistics, Tiles } from "../pipeline.js";
import { gradientNorms, shortListStatistics } from "../statistics.js";
import { initialState } from "../training/initialState.js";
import { Turns } from "../turns.js";
import { type Crew, doTask, OwnThread } from "./crew.js";
import { listsOf, type Parts, partsOf, type Render, renderOf, scatterPixels } from "./parts.js";
import type { PartDerivatives } from "./rasterize.js";
import type { TileLists } from "./tileLists.js";

/** Arithmetic is float64 throughout; this is how parameters, gradients and moments are kept between steps. */
type Precision = Float32ArrayConstructor | Float64ArrayConstructor;

type Numbers = Float32Array | Float64Array;

/**
 * The CPU engine: every stage's twin, put together. With Float64Array it is the oracle of the tests, with
 * Float32Array what trains where there is no GPU. The same config gives the same bits, whoever computes the parts.
 */
export class CpuPipeline implements Pipeline {
  readonly description: string;
  step: number;
  readonly #config: TrainConfig;
  readonly #image: Image;
  readonly #parameters: Numbers;
  readonly #firstMoments: Numbers;
  readonly #secondMoments: Numbers;
  #gradients: Numbers;
  #loss = Number.NaN;
  #lists: TileLists | undefined;
  readonly #frozen: Uint8Array | undefined;
  readonly #precision: Precision;
  readonly #crew: Crew;
  /** What is recorded and not told yet. */
  readonly #measured: Measured[] = [];
  readonly #turns = new Turns();
  #freed = false;

  /** @param crew who computes its parts; this thread if absent */
  constructor(
    config: TrainConfig,
    image: Image,
    state: TrainingState,
    precision: Precision = Float32Array,
    crew: Crew = ownThread,
  ) {
    this.description = crew.description;
    this.#config = config;
    this.#image = image;
    this.#precision = precision;
    this.#crew = crew;
    this.step = state.step;
    this.#parameters = new precision(state.parameters);
    this.#firstMoments = new precision(state.firstMoments);
    this.#secondMoments = new precision(state.secondMoments);
    this.#frozen = state.frozen;
    this.#gradients = new precision(state.firstMoments.length);
  }

  advance(steps: number, options: AdvanceOptions = {}): Promise<number> {
    const { signal, horizon = this.#config.steps, recordEvery } = options;
    return this.#inTurn(async () => {
      let done = 0;
      for (; done < steps; done++) {
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
    return this.#inTurn(async () => ({
      step: this.step,
      parameters: new Float32Array(this.#parameters),
      firstMoments: new Float32Array(this.#firstMoments),
      secondMoments: new Float32Array(this.#secondMoments),
      ...(this.#frozen && { frozen: this.#frozen }),
    }));
  }

  load({ step, parameters, firstMoments, secondMoments }: TrainingState): Promise<void> {
    return this.#inTurn(async () => {
      this.step = step;
      this.#parameters.set(parameters);
      this.#firstMoments.set(firstMoments);
      this.#secondMoments.set(secondMoments);
      this.#lists = undefined;
      this.#measured.length = 0;
    });
  }

  gradients(): Promise<Float32Array> {
    return this.#inTurn(async () => new Float32Array(this.#gradients));
  }

  computeGradients(): Promise<Float32Array> {
    return this.#inTurn(async () => {
      await this.#computeDerivatives();
      return new Float32Array(this.#gradients);
    });
  }

  render(size: Size): Promise<Rendering> {
    return this.#inTurn(async () => {
      const picture = { ...size, step: this.step, data: new Float32Array(4 * size.width * size.height) };
      await this.#imageMain(picture);
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
    const sum = this.#beginSum();
    for (const part of sum.parts) sum.add(doTask("differentiate", part));
    this.#keep(sum);
    return { loss: this.#loss, gradients: this.#gradients.slice() };
  }

  #statistics(): StepStatistics {
    const shortLists = shortListStatistics(this.#tiles());
    return { loss: this.#loss, gradientNorms: gradientNorms(this.#gradients), shortLists };
  }

  #record(): void {
    if (this.#measured.at(-1)?.step !== this.step) this.#measured.push({ step: this.step, ...this.#statistics() });
  }

  #tiles(): Tiles {
    const { across, down, offsets } = this.#lists ?? this.#lay(this.#image).lists;
    const lengths = Uint32Array.from({ length: across * down }, (_, tile) => offsets[tile + 1] - offsets[tile]);
    const passes = lengths.map((length) => Math.max(1, Math.ceil(length / listCapacity(this.#config))));
    return { size: this.#config.tile, across, down, lengths, passes };
  }

  /** Lays the blobs out on the tiles of a render. */
  #lay(size: Size): { render: Render; lists: TileLists } {
    const render = renderOf(this.#config, this.#image, size);
    return { render, lists: listsOf(render, this.#parameters) };
  }

  /** One forward and backward pass; one that is given up leaves everything as it was. */
  async #computeDerivatives(signal?: AbortSignal): Promise<boolean> {
    const sum = this.#beginSum();
    const complete = await this.#crew.work(
      "differentiate",
      sum.parts,
      (derivatives) => sum.add(derivatives),
      () => this.#freed || signal?.aborted === true,
    );
    if (complete) this.#keep(sum);
    return complete;
  }

  #beginSum(): Sum {
    const { render, lists } = this.#lay(this.#image);
    const parts = partsOf(render, lists, this.#parameters, this.#image.data);
    return new Sum(lists, parts, new this.#precision(this.#parameters.length));
  }

  #keep({ lists, gradients, squaredError }: Sum): void {
    this.#lists = lists;
    this.#gradients = gradients;
    this.#loss = squaredError / (this.#image.width * this.#image.height);
  }

  #updateBlobs(horizon: number): void {
    this.step++;
    updateBlobs(
      this.#parameters,
      this.#firstMoments,
      this.#secondMoments,
      this.#gradients,
      ratesAt(this.#config, this.step, horizon),
      corrections(this.#config.biasCorrection, this.step),
      adamConstants,
      this.#frozen,
    );
  }

  /** Forward alone, at any size. */
  async #imageMain(picture: Picture): Promise<void> {
    const { render, lists } = this.#lay(picture);
    await this.#crew.work(
      "draw",
      partsOf(render, lists, this.#parameters),
      ({ firstTile, endTile, pixels }) => scatterPixels(render, firstTile, endTile, pixels, picture.data),
      () => this.#freed,
    );
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take(() => {
      if (this.#freed) throw new Error("This pipeline has been freed.");
      return work();
    });
  }
}

/** The derivatives of a step, while its parts are added up. */
class Sum {
  squaredError = 0;

  constructor(
    readonly lists: TileLists,
    readonly parts: Parts,
    readonly gradients: Numbers,
  ) {}

  add({ squaredError, blobs, gradients }: PartDerivatives): void {
    this.squaredError += squaredError;
    const all = this.gradients.length / parameterCount;
    for (let field = 0; field < parameterCount; field++) {
      for (let k = 0; k < blobs.length; k++) {
        this.gradients[field * all + blobs[k]] += gradients[field * blobs.length + k];
      }
    }
  }
}

const ownThread = new OwnThread();

/** Decoded blobs take about half a kilobyte each, and engines give scripts some gigabytes at the most. */
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
      return new CpuPipeline(config, image, state, Float32Array, crew);
    },
    async draw({ config, size, parameters, at }) {
      checkBlobs(config);
      const none = new Float32Array();
      const state = { step: 0, parameters, firstMoments: none, secondMoments: none };
      const image = { width: size.width, height: size.height, data: new Uint8ClampedArray() };
      return new CpuPipeline(config, image, state, Float32Array, crew).render({ width: at.width, height: at.height });
    },
  };
}

/** The CPU engine on the calling thread. */
export const cpuBackend: Backend = cpuBackendWith(ownThread);
