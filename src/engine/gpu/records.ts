import { parameterCount } from "../model/blobs.js";
import type { StepRecord, StepStatistics } from "../pipeline.js";
import { normsOfSquares } from "../statistics.js";
import type { GpuMemory } from "./memory.js";
import { structBytes } from "./structs.js";

/** Rows of the buffer, more than a submit has steps. The first is for statistics() of the latest step. */
const maxRows = 1024;

/** Returns the number of workgroups, with one partial sum each, for a sum over all blobs. */
export function partialSumCount(blobs: number): number {
  return Math.min(Math.max(1, Math.ceil(blobs / 2048)), 16);
}

/** A step's row, and its readback once that is started. */
interface Row {
  step: number;
  row: number;
  read: Promise<ArrayBuffer> | undefined;
}

/** Statistics of recorded steps, which stay on the GPU until they are read back together. */
export class Records {
  readonly buffer: GPUBuffer;
  #pendingRows: Row[] = [];
  /** Rows in use until the next readback. */
  #usedRows = 1;

  constructor(
    readonly memory: GpuMemory,
    readonly partialSums: number,
    readonly pixels: number,
    readonly tiles: number,
  ) {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    this.buffer = memory.buffer("summaries", usage, this.#rowBytes * maxRows);
  }

  get #rowBytes(): number {
    return structBytes.Summary * this.partialSums;
  }

  /** Workgroups per row. */
  get workgroups(): number {
    return this.partialSums * (1 + parameterCount);
  }

  /** Makes sure that so many rows are free after all work submitted so far. */
  reserve(count: number): void {
    if (this.#usedRows + count > maxRows) this.#read();
  }

  /** Returns the row for a step that is submitted next. */
  add(step: number): number {
    this.#pendingRows.push({ step, row: this.#usedRows, read: undefined });
    return this.#usedRows++;
  }

  /** The step of the last row, unless that was read. */
  get latest(): number | undefined {
    return this.#pendingRows.at(-1)?.step;
  }

  /** Discards the rows of steps after this one. */
  discard(step: number): void {
    this.#pendingRows = this.#pendingRows.filter((row) => row.step <= step);
  }

  /** Reads and removes the records of steps up to `end`, after all work submitted so far. */
  take(end = Number.POSITIVE_INFINITY): Promise<StepRecord[]> {
    this.#read();
    const readyRows = this.#pendingRows.filter(({ step }) => step <= end);
    this.#pendingRows = this.#pendingRows.filter(({ step }) => step > end);
    return Promise.all(readyRows.map(async ({ step, row, read }) => ({ step, ...this.#summary((await read)!, row) })));
  }

  /** Reads the first row, after all work submitted so far. */
  async first(): Promise<StepStatistics> {
    return this.#summary(await this.memory.read(this.buffer, this.#rowBytes), 0);
  }

  #read(): void {
    const unread = this.#pendingRows.filter(({ read }) => read === undefined);
    if (unread.length > 0) {
      const read = this.memory.read(this.buffer, this.#rowBytes * this.#usedRows);
      // Possibly never awaited, after a device loss.
      read.catch(() => {});
      for (const row of unread) row.read = read;
    }
    this.#usedRows = 1;
  }

  /** Adds a row's partial sums. */
  #summary(bytes: ArrayBuffer, row: number): StepStatistics {
    const words = structBytes.Summary / 4;
    const floats = new Float32Array(bytes, this.#rowBytes * row, words * this.partialSums);
    const counts = new Uint32Array(bytes, this.#rowBytes * row, words * this.partialSums);
    const valuesOf = (values: ArrayLike<number>, at: number) =>
      Array.from({ length: this.partialSums }, (_, index) => values[words * index + at]);
    const sum = (values: ArrayLike<number>, at: number) => valuesOf(values, at).reduce((total, value) => total + value);
    return {
      loss: sum(floats, 0) / this.pixels,
      tileLists: {
        mean: sum(floats, 1) / this.tiles,
        longest: Math.max(...valuesOf(counts, 2)),
        passes: Math.max(...valuesOf(counts, 3)),
        overflowing: sum(counts, 4),
      },
      gradientNorms: normsOfSquares(Array.from({ length: parameterCount }, (_, field) => sum(floats, 5 + field))),
    };
  }
}
