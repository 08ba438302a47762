import { ConfigError } from "../engine/config.js";
import { inRange } from "../engine/quoted.js";

/** Options of `splatbook view`. */
export interface ViewOptions {
  port?: number;
  host: string;
  open?: boolean;
}

/** The port that is tried first. */
export const usualPort = 4100;

/** @throws ConfigError */
export function parsePort(text: string): number {
  if (/^\d+$/.test(text) && Number(text) < 65536) return Number(text);
  throw new ConfigError("port", text, `a whole number ${inRange(0, 65535)}`);
}
