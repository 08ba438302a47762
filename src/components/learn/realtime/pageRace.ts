import { agreementOf, type Computed, compute } from "../../../engine/bench/realtime/agreement.js";
import type { EvaluatedPairs } from "../../../engine/bench/realtime/evaluatedPairs.js";
import { openProgram, type Program, programOf, programs, refusal } from "../../../engine/bench/realtime/programs.js";
import { completeConfig } from "../../../engine/config.js";
import type { Image, Picture } from "../../../engine/image/image.js";
import { initialState } from "../../../engine/training/initialState.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { backstage } from "../../backstage/backstage.js";
import { numberText } from "../../page/numberText.js";
import { follow } from "../../training/follow.js";
import { Race } from "./race.js";
import { firstField, offerOf, type RaceJob } from "./raceJob.js";

/** Looks at pictures behind the page. */
async function see(picture: Picture, target: Image) {
  const [image, psnr] = await Promise.all([backstage("toImage", picture), backstage("psnr", picture, target)]);
  return { image, psnr };
}

/**
 * A race of the programs on a page.
 * @param invalidation Framework's promise that the cell has run its time: the race ends, and its memory is freed
 */
export function pageRace(
  engine: BrowserEngine,
  job: RaceJob,
  target: Image,
  field: readonly Program[],
  invalidation: Promise<unknown>,
): Race {
  const race = new Race(engine, job, target, field, see);
  void invalidation.then(() => race.free());
  return race;
}

/** What each way to find the blobs of a pixel goes through, at blobs of the race. */
export interface CountedPairs {
  step: number;
  parameters: Float32Array;
  pairs: EvaluatedPairs;
}

/** The pairs at the race's start, and then as it trains the blobs. */
export function countedPairs(race: Race): AsyncGenerator<CountedPairs> {
  let from: Race["trained"] | undefined;
  let counted: Promise<CountedPairs> | undefined;
  const count = async ({ step, parameters }: Race["trained"]) => {
    const { width, height } = race.target;
    const pairs = await backstage(
      "countEvaluatedPairs",
      completeConfig({ ...race.job, pipeline: "tiled" }),
      parameters,
      { width, height },
    );
    return { step, parameters, pairs };
  };
  const read = () => {
    if (race.trained !== from) counted = count(race.trained);
    from = race.trained;
    return counted;
  };
  return follow(race, read, { interval: 3000 });
}

/** Steps after which the programs are compared. */
export const comparedAfter = 20;

/**
 * Gives every program the same half-trained blobs, and compares what they compute of them with what binned does.
 * @param note told of what goes on
 * @returns a row a program, in words
 */
export async function comparePrograms(
  engine: BrowserEngine,
  chosen: RaceJob,
  target: Image,
  note: (text: string) => void,
) {
  // Programs that take minutes a step are none for a comparison at once.
  const isLong = !firstField(chosen, target).includes(programOf("every-undo"));
  const job = isLong ? { ...chosen, ...offerOf(engine.kind).first } : chosen;
  const { blobs, tile, gaussiansPerBlock } = job;
  const config = completeConfig({ blobs, tile, pipeline: "binned" });
  const backend = engine.backend("binned");
  note("Training a little");
  const trainer = await backend.open(config, target, initialState(config, target));
  const state = await trainer
    .advance(comparedAfter)
    .then(() => trainer.state())
    .finally(() => trainer.free());
  const computed = new Map<Program, Computed>();
  for (const program of programs.filter((program) => !refusal(program, job))) {
    note(program.title);
    const pipeline = await openProgram(
      program,
      { ...config, gaussiansPerBlock },
      target,
      backend,
      engine.shaders,
      state,
    );
    computed.set(program, await compute(pipeline, target).finally(() => pipeline.free()));
  }
  const reference = computed.get(programOf("binned"))!;
  const rows = programs.map((program) => {
    const own = computed.get(program);
    if (!own) return { program, picture: "exceeds its limit", gradients: "–" };
    if (own === reference) return { program, picture: "reference", gradients: "reference" };
    const { psnr, gradients } = agreementOf(own, reference);
    const picture = Number.isFinite(psnr) ? `${psnr.toFixed(0)} dB` : "equal";
    return { program, picture, gradients: gradients === 0 ? "none" : numberText(gradients, 2) };
  });
  return { blobs, rows };
}
