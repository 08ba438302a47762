import { Failure } from "../terminal/failure.js";

/** The job was given to another worker, which has what there was of the run. */
export class JobReassigned extends Failure {
  constructor() {
    super("The job was given to another worker, which goes on with it.");
  }
}

/** What a worker has of a run until it is committed. */
export interface Attempt {
  /** A folder of this machine. */
  folder: string;
  /** Whether it holds an earlier part of the run, of a worker that was stopped or given up. */
  hasProgress: boolean;
  /**
   * Gives the run its name in one move, unless it was committed before. What fails may be tried again.
   * @throws GivenAway if the job was given to another worker meanwhile, or Failure
   */
  commit(run: string): Promise<void>;
  discard(): Promise<void>;
  /** Leaves what was begun to who goes on with it; where nobody could find it, it is removed. */
  leave(): Promise<void>;
}

/** What jobs are given besides what they say: pictures, as PNG files, and raw parameters of blobs to begin with. */
export type InputKind = "picture" | "blobs";

/** Where that is kept. */
export const inputFile = (kind: InputKind, inputName: string) =>
  kind === "picture" ? `pictures/${inputName}.png` : `blobs/${inputName}.f32`;

/** Where pictures, blobs and runs travel between machines. */
export interface Store {
  /** For people. */
  name: string;
  /** The same store, which waits no more for what cannot be reached once a signal came. */
  withSignal(signal: AbortSignal): Store;
  /** Keeps what jobs are given, by its name: of `inputName`. */
  put(kind: InputKind, inputName: string, bytes: Uint8Array): Promise<void>;
  /** @throws Failure if it is not there */
  get(kind: InputKind, inputName: string): Promise<Uint8Array>;
  /** Removes what no job is given any more, if it is there. */
  remove(kind: InputKind, inputName: string): Promise<void>;
  /** Whether a run was committed. */
  has(run: string): Promise<boolean>;
  /**
   * Begins to train a run. What another worker has of it is taken away from that, which can then commit it no more.
   * @param id of the job
   * @param token that no other attempt has
   */
  startAttempt(id: string, token: string): Promise<Attempt>;
  /** Brings a run that was committed into a folder of this machine, where it is not there by itself. */
  fetch(run: string, folder: string): Promise<void>;
  /** Removes a run that was committed, and counts no longer. */
  removeRun(run: string): Promise<void>;
  /** Lets the next attempt at a job go on from the part of a run that a folder holds. */
  handOver(id: string, folder: string): Promise<void>;
  /** Brings what attempts at a job have come to into a folder, for who goes on without workers. */
  takeOver(id: string, folder: string): Promise<void>;
}
