import { html } from "htl";
import { type Program, type ProgramName, programOf } from "../../../engine/bench/realtime/programs.js";
import { iterations, type RealtimeJob } from "../../../engine/bench/realtime/realtimeResult.js";
import { linkThings } from "../../figures/pointing.js";
import { secondsText } from "../../page/format.js";
import { paceOf, type Runner } from "./race.js";

/** Seconds that a program takes for 10,000 steps, with bounds. */
export type ProgramTimes = ReturnType<typeof timesOf>;

function timesOf(program: Program, { median, low, high }: { median: number; low: number; high: number }) {
  const [seconds, ...bounds] = [median, low, high].map((milliseconds) => (milliseconds * iterations) / 1000);
  return { ...program, seconds, low: bounds[0], high: bounds[1] };
}

/** Returns the times of the programs that have run in a race; the bounds are the quartiles of the batches. */
export function racedTimes(standings: readonly Runner[]): ProgramTimes[] {
  return standings.flatMap((runner) => {
    const pace = paceOf(runner);
    return pace ? [timesOf(runner.program, pace)] : [];
  });
}

/** Returns the times of a recorded job. */
export function recordedTimes({ times }: RealtimeJob): ProgramTimes[] {
  return times.map(({ name, median, min, max }) => timesOf(programOf(name), { median, low: min, high: max }));
}

/** A cell of the table of speedups: the time of a program, or the speedup between two. */
interface FactorCell {
  text: string;
  program?: ProgramName;
}

/**
 * Returns a table of the programs, with and without tiles by cached and undone states, with the speedups; and of binned,
 * with its speedup over the fastest and the slowest of them.
 */
export function factorRows(times: readonly ProgramTimes[]): Record<"" | "kept" | "undone" | "gives", FactorCell>[] {
  const secondsOf = (name: ProgramName) => times.find((each) => each.name === name)?.seconds ?? Number.NaN;
  const time = (program: ProgramName) => {
    const seconds = secondsOf(program);
    return { text: Number.isNaN(seconds) ? "–" : secondsText(seconds), program };
  };
  const gain = (before: ProgramName, after: ProgramName, suffix = "") => {
    const ratio = secondsOf(before) / secondsOf(after);
    if (Number.isNaN(ratio)) return { text: "–" };
    const digits = ratio >= 100 ? Math.round(ratio).toLocaleString("en-US") : Number(ratio.toPrecision(2));
    return { text: `${digits} ×${suffix}` };
  };
  const row = (text: string, kept: FactorCell, undone: FactorCell, gives: FactorCell) => ({
    "": { text },
    kept,
    undone,
    gives,
  });
  const none = { text: "" };
  return [
    row("every blob", time("every-kept"), time("every-undo"), gain("every-kept", "every-undo")),
    row("tiles", time("tiles-kept"), time("tiles-undo"), gain("tiles-kept", "tiles-undo")),
    row(
      "speedup by tiles",
      gain("every-kept", "tiles-kept"),
      gain("every-undo", "tiles-undo"),
      gain("every-kept", "tiles-undo", " by both"),
    ),
    row("binned", none, time("binned"), none),
    row("speedup by binned", none, gain("tiles-undo", "binned"), gain("every-kept", "binned", " by all three")),
  ];
}

/** Returns a text that is linked with its program in other figures. */
export function programLabel({ text, program }: FactorCell): HTMLElement {
  return program ? linkThings(html`<strong>${text}</strong>`, `program:${program}`) : html`<span>${text}</span>`;
}
