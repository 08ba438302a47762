/** What a worker has of a run until it is committed. */
export interface Attempt {
  /** A folder of this machine. */
  folder: string;
  /** Whether it holds an earlier part of the run, of a worker that was stopped or given up. */
  isBegun: boolean;
  /**
   * Gives the run its name in one move, unless it was committed before.
   * @throws Failure if the job was given to another worker meanwhile
   */
  commit(run: string): Promise<void>;
  discard(): Promise<void>;
}

/** Where pictures and runs travel between machines. */
export interface Store {
  /** For people. */
  name: string;
  /** Keeps a picture, as a PNG file. */
  putPicture(hash: string, png: Uint8Array): Promise<void>;
  /** @throws Failure if it is not there */
  picture(hash: string): Promise<Uint8Array>;
  /** Whether a run was committed. */
  has(run: string): Promise<boolean>;
  /**
   * Begins to train a run. What another worker has of it is taken away from that, which can then commit it no more.
   * @param id of the job
   * @param token that no other attempt has
   */
  begin(id: string, token: string): Promise<Attempt>;
  /** Brings a run that was committed into a folder of this machine, where it is not there by itself. */
  fetch(run: string, folder: string): Promise<void>;
  /** Lets the next attempt at a job go on from the part of a run that a folder holds. */
  handOver(id: string, folder: string): Promise<void>;
  /** Brings what attempts at a job have come to into a folder, for who goes on without workers. */
  takeOver(id: string, folder: string): Promise<void>;
}
