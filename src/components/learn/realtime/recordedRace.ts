import { type ProgramName, programs } from "../../../engine/bench/realtime/programs.js";
import type { RealtimeResult } from "../../../engine/bench/realtime/realtimeResult.js";
import type { Image } from "../../../engine/image/image.js";
import { count, counted } from "../../page/format.js";
import type { Runner } from "./race.js";

/** data/bench/race/race.json: the result of each program after the same seconds of the first recorded job. */
export interface RecordedRace {
  seconds: number;
  pictures: { name: ProgramName; step: number; psnr: number }[];
}

/**
 * Returns the first recorded job as the runners of a race.
 * @param images renders in the order of the programs
 */
export function recordedRunners({ jobs }: RealtimeResult, race: RecordedRace, images: readonly Image[]): Runner[] {
  const { seconds, pictures } = race;
  return programs.map((program, index) => {
    const { step, psnr } = pictures.find(({ name }) => name === program.name)!;
    const { rounds } = jobs[0].times.find(({ name }) => name === program.name)!;
    const points = [{ seconds, step, psnr }];
    return { program, isParticipating: true, isRecorded: true, step, seconds, rounds, points, image: images[index] };
  });
}

/** Replaces each runner that has not started with the recorded one. */
export function withRecorded(standings: readonly Runner[], recorded: readonly Runner[]): Runner[] {
  return standings.map((runner, index) =>
    runner.isParticipating && runner.rounds.length === 0 ? recorded[index] : runner,
  );
}

/** Describes the job and the machine of a recorded race. */
export function describeRecording({ jobs, adapter, date }: RealtimeResult, { seconds }: RecordedRace): string {
  const { blobs, width, height } = jobs[0];
  return `Until the comparison starts on your machine, the charts show a recording: ${count(blobs)} blobs on ${width} × ${height} pixels, on ${adapter}, ${date.slice(0, 10)}. Its images show the result of ${counted(seconds * 1000, "millisecond")}, rendered by the CPU reference.`;
}
