import { duration } from "../../../engine/duration.js";
import { iterations } from "../../../engine/realtime/realtimeResult.js";

/** Seconds of 10,000 iterations at so many milliseconds a step. */
export function wholeSeconds(milliseconds: number): number {
  return (milliseconds * iterations) / 1000;
}

/** Seconds as people say them: "0.84 s", "1.9 s", "47 s", "3 min 20 s". */
export function secondsText(seconds: number): string {
  return seconds < 60 ? `${Number(seconds.toPrecision(2))} s` : duration(seconds);
}

/** How many times as fast: "1.2 ×", "41 ×". */
export function timesText(ratio: number): string {
  return `${ratio >= 100 ? Math.round(ratio).toLocaleString("en-US") : Number(ratio.toPrecision(2))} ×`;
}
