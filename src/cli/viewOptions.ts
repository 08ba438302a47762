/** Options of `splatbook view`, as they were typed. */
export interface ViewOptions {
  port?: string;
  host: string;
  open?: boolean;
}

/** The port that is tried first. */
export const usualPort = 4100;
