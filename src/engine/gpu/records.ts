import { parameterCount } from "../model/blobs.js";
import type { StepRecord, StepStatistics } from "../pipeline.js";
import { normsOfSquares } from "../statistics.js";
import type { GpuMemory } from "./memory.js";
import type { Struct } from "./structs.js";

/** Rows of the ring; more than a submit has steps. The first is for who asks for the latest step alone. */
const ringRows = 1024;

/** Workgroups that share a sum over so many blobs, and leave a part of it each. */
export function partialSumCount(blobs: number): number {
  return Math.min(Math.max(1, Math.ceil(blobs / 2048)), 16);
}

/** A step's row, and its bytes once they are asked for. */
interface Row {
  step: number;
  row: number;
  read: Promise<ArrayBuffer> | undefined;
}

/** What steps measured, which stays on the GPU until it is asked for, and then comes back in bulk. */
export class Records {
  readonly buffer: GPUBuffer;
  /** Of a part. */
  readonly #struct: Struct;
  #pendingRows: Row[] = [];
  /** Rows that are taken; they are free again behind the copy that reads them. */
  #usedRows = 1;

  constructor(
    readonly memory: GpuMemory,
    readonly partialSums: number,
    readonly pixels: number,
    readonly tiles: number,
  ) {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    this.#struct = memory.gpu.struct("Summary");
    this.buffer = memory.buffer("summaries", usage, this.#rowBytes * ringRows);
  }

  get #rowBytes(): number {
    return this.#struct.bytes * this.partialSums;
  }

  /** Workgroups that a row takes. */
  get workgroups(): number {
    return this.partialSums * (1 + parameterCount);
  }

  /** Makes room for so many rows, behind all work submitted so far. */
  reserve(count: number): void {
    if (this.#usedRows + count > ringRows) this.#read();
  }

  /** The row for a step that is to be submitted next. */
  add(step: number): number {
    this.#pendingRows.push({ step, row: this.#usedRows, read: undefined });
    return this.#usedRows++;
  }

  /** The step whose row was added last, unless that was read. */
  get latest(): number | undefined {
    return this.#pendingRows.at(-1)?.step;
  }

  /** Steps behind this one were not done after all. */
  discard(step: number): void {
    this.#pendingRows = this.#pendingRows.filter((row) => row.step <= step);
  }

  /** What was kept since the last time, of steps up to one, behind all work submitted so far. */
  take(end = Number.POSITIVE_INFINITY): Promise<StepRecord[]> {
    this.#read();
    const readyRows = this.#pendingRows.filter(({ step }) => step <= end);
    this.#pendingRows = this.#pendingRows.filter(({ step }) => step > end);
    return Promise.all(readyRows.map(async ({ step, row, read }) => ({ step, ...this.#summary((await read)!, row) })));
  }

  /** What the first row holds, likewise. */
  async first(): Promise<StepStatistics> {
    return this.#summary(await this.memory.read(this.buffer, this.#rowBytes), 0);
  }

  #read(): void {
    const unread = this.#pendingRows.filter(({ read }) => read === undefined);
    if (unread.length > 0) {
      const read = this.memory.read(this.buffer, this.#rowBytes * this.#usedRows);
      // Where the device is lost nobody may ask for it any more.
      read.catch(() => {});
      for (const row of unread) row.read = read;
    }
    this.#usedRows = 1;
  }

  /** Adds up a row's parts. */
  #summary(bytes: ArrayBuffer, row: number): StepStatistics {
    const struct = this.#struct;
    const floats = new Float32Array(bytes, this.#rowBytes * row, struct.words * this.partialSums);
    const counts = new Uint32Array(bytes, this.#rowBytes * row, struct.words * this.partialSums);
    const valuesOf = (values: ArrayLike<number>, member: string, k = 0) =>
      Array.from({ length: this.partialSums }, (_, index) => values[struct.words * index + struct.at(member) + k]);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    const squares = Array.from({ length: parameterCount }, (_, field) =>
      sum(valuesOf(floats, "gradientSquares", field)),
    );
    return {
      loss: sum(valuesOf(floats, "squaredError")) / this.pixels,
      gradientNorms: normsOfSquares(squares),
      tileLists: {
        mean: sum(valuesOf(floats, "listLengths")) / this.tiles,
        longest: Math.max(...valuesOf(counts, "longest")),
        passes: Math.max(...valuesOf(counts, "passes")),
        overflowing: sum(valuesOf(counts, "overflowing")),
      },
    };
  }
}
