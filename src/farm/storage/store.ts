import { Failure } from "../../terminal/failure.js";

/** Thrown if the job was given to another worker, which has taken over the attempt. */
export class JobReassigned extends Failure {
  constructor() {
    super("The job was given to another worker.");
  }
}

/** A run that a worker is training and has not committed. */
export interface Attempt {
  /** A folder of this machine. */
  folder: string;
  /** Whether the folder has a checkpoint from an earlier worker. */
  hasProgress: boolean;
  /**
   * Commits the run atomically, unless it was committed before. It may be retried after an error.
   * @throws JobReassigned if the job was given to another worker, or Failure
   */
  commit(run: string): Promise<void>;
  discard(): Promise<void>;
  /** Leaves the attempt to the next worker, or removes it if another machine could not read it. */
  leave(): Promise<void>;
}

/** Inputs of jobs: images as PNG files, and raw parameters of initial blobs. */
export type InputKind = "image" | "blobs";

/** Returns the path of an input in the store. */
export const inputFile = (kind: InputKind, inputName: string) =>
  kind === "image" ? `pictures/${inputName}.png` : `blobs/${inputName}.f32`;

/**
 * Storage that exchanges images, blobs and runs between machines. Workers call `get`, `has`, `startAttempt` and
 * `fetchPaused`; a command calls the others.
 */
export interface Store {
  /** Its address. */
  name: string;
  /** Returns the same store, with retries that end when the signal aborts. */
  withSignal(signal: AbortSignal): Store;
  /** Stores an input. Its name comes from `inputName`. */
  put(kind: InputKind, inputName: string, bytes: Uint8Array): Promise<void>;
  /** @throws Failure if it does not exist */
  get(kind: InputKind, inputName: string): Promise<Uint8Array>;
  /** Removes an input, if it exists. */
  remove(kind: InputKind, inputName: string): Promise<void>;
  /** Returns whether a run was committed. */
  has(run: string): Promise<boolean>;
  /**
   * Starts an attempt at a job. It takes over the attempt of an earlier worker, which then cannot commit.
   * @param id of the job
   * @param token unique token of the attempt
   */
  startAttempt(id: string, token: string): Promise<Attempt>;
  /** Downloads a committed run to a folder, if the store is not a shared folder. */
  fetch(run: string, folder: string): Promise<void>;
  /** Removes a committed run. */
  removeRun(run: string): Promise<void>;
  /**
   * Gives a run to the next attempt at a job: one that was started without workers, or that a worker has paused.
   * @param run its path in the store
   * @param folder its folder on this machine
   */
  handOver(id: string, run: string, folder: string): Promise<void>;
  /** Downloads the paused run that a job continues, if the store is not a shared folder. Returns false if there is none. */
  fetchPaused(id: string, folder: string): Promise<boolean>;
  /** Moves the unfinished run of a job to a folder, so that it can be continued without workers. */
  takeOver(id: string, folder: string): Promise<void>;
}
