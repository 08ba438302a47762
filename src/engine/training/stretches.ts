import type { Measured, Pipeline } from "../pipeline.js";
import { Chunk } from "./chunk.js";
import type { Course } from "./course.js";
import type { Throttle } from "./throttle.js";

/** Steps that were asked for at once. */
export interface Stretch {
  /** Steps done after them, unless they are stopped. */
  end: number;
  /** Whether something is to be done behind them, before others are asked for. */
  isLast: boolean;
  /** Aborted once the steps that are allowed are others. */
  changed: AbortSignal;
  /** When they were asked for, in milliseconds of the page. */
  start: number;
  /** The steps done, and when that was known. */
  advanced: Promise<readonly [done: number, now: number]>;
  /** What those of them that are recorded measured, and the last one. */
  measured: Promise<Measured[]>;
}

/** Behind which steps something is to be done or told. */
export interface Stops {
  /** A snapshot of every so many steps. */
  recordEvery?: number;
  /** The gradients in the snapshot after every this many steps. */
  recordGradientsEvery?: number;
  /** Steps after which a snapshot comes behind which no step is under way, ascending. */
  lookAt?: readonly number[];
  /** Milliseconds after which a snapshot comes in any case, about. */
  interval?: number;
  /** Ends the run after the steps under way. */
  signal?: AbortSignal;
}

/** Asks a pipeline for the steps of a run, stretch by stretch. */
export class Stretches {
  readonly chunk: Chunk;
  #stop: { changed: AbortSignal; signal: AbortSignal } | undefined;

  constructor(
    readonly stops: Stops,
    readonly throttle: Throttle,
  ) {
    this.chunk = new Chunk(stops.interval ?? 125);
  }

  /** Asks for the steps of a course that come behind a step. */
  ask(pipeline: Pipeline, course: Course, from: number): Stretch {
    const { recordEvery = Number.POSITIVE_INFINITY } = this.stops;
    const most = Math.min(this.#toStop(course, from), this.throttle.steps);
    const steps = this.chunk.steps(most);
    const { changed } = this.throttle;
    const start = performance.now();
    const advanced = pipeline
      .advance(steps, { signal: this.#stopOf(changed), horizon: course.horizon, recordEvery })
      .then((done) => [done, performance.now()] as const);
    const measured = pipeline.measured();
    // Where the stretch before it fails nobody asks for this one any more.
    for (const asked of [advanced, measured]) asked.catch(() => {});
    const isLast = this.throttle.takeRest() || steps === most;
    return { end: from + steps, isLast, changed, start, advanced, measured };
  }

  /** Whether others are to be asked for while a stretch is under way. */
  goOnBehind({ isLast }: Stretch): boolean {
    return !isLast && this.throttle.steps === Number.POSITIVE_INFINITY && !this.stops.signal?.aborted;
  }

  /** Cuts steps short. Few are made, since what they follow lives as long as the run and remembers each. */
  #stopOf(changed: AbortSignal): AbortSignal {
    const { signal } = this.stops;
    if (this.#stop?.changed !== changed) {
      this.#stop = { changed, signal: signal ? AbortSignal.any([changed, signal]) : changed };
    }
    return this.#stop.signal;
  }

  /** Steps until something is to be done. */
  #toStop(course: Course, from: number): number {
    const { recordGradientsEvery, lookAt = [] } = this.stops;
    const toNext = (every = Number.POSITIVE_INFINITY) => every - (from % every);
    return Math.min(
      course.stepsLeft(from),
      course.nextGrowth(from) - from,
      toNext(course.lookEvery),
      toNext(recordGradientsEvery),
      (lookAt.find((later) => later > from) ?? Number.POSITIVE_INFINITY) - from,
    );
  }
}
