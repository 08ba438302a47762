import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { ConfigError, completeConfig, type TrainConfig } from "../engine/config.js";
import { duration } from "../engine/duration.js";
import { numeric } from "../engine/fields.js";
import { hasEnded, type RunDescription, regionsDone } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import type { RunRecord } from "../engine/files/runRecord.js";
import { describeSize } from "../engine/files/splat2d/roundTrip.js";
import type { Size } from "../engine/image/image.js";
import { reducedSize } from "../engine/image/reduce.js";
import { regionConfig } from "../engine/regions/learn.js";
import { areaOf, type Plan, planRegions, usualSide } from "../engine/regions/plan.js";
import { blobsFor } from "../engine/training/blobCount.js";
import type { RegionsFarm } from "../farm/farmRegions.js";
import { pictureSize, StagedPicture } from "../host/node/stagedPicture.js";
import { claimFolder, holdFolder } from "../runs/claimFolder.js";
import { disk } from "../runs/disk.js";
import { Engines } from "../runs/engines.js";
import { farmFolder, idFile, partsFolder } from "../runs/farmFolder.js";
import { estimated, grouped, type QuickLook } from "../runs/forecast.js";
import { recordEveryOf } from "../runs/recordEvery.js";
import { RegionsFolder } from "../runs/regions/regionsFolder.js";
import { RegionsRun, type Told } from "../runs/regions/regionsRun.js";
import { openRunFolder } from "../runs/runFolder.js";
import { begunFile } from "../runs/staging.js";
import { Failure, usageFailure } from "../terminal/failure.js";
import { count, flagOf } from "../terminal/flags.js";
import { interruptible } from "../terminal/interrupt.js";
import { showProgress, silence } from "../terminal/progress.js";
import { configOf, givenFields } from "./configFlags.js";
import { longestOf, outOf } from "./fitOptions.js";
import { goalOf } from "./goalFlags.js";
import { farmOf, type RegionsOptions } from "./regionsOptions.js";

/** Of a region, in pixels, at least: a smaller one would be all halo. */
const leastSide = 64;

/** Fits a picture by regions, and keeps the run as a folder: each region and window counts from when it is done. */
export async function fitRegions(path: string | undefined, options: RegionsOptions): Promise<void> {
  const { resume } = options;
  checkOptions(options);
  const askedFarm = farmOf(options);
  if (path === undefined) {
    throw usageFailure(
      resume === undefined
        ? "fit needs an image, such as splatbook fit data/images/astronaut.png."
        : `${resume} does not contain its image, so give the image too: splatbook fit IMAGE --resume ${resume}.`,
    );
  }
  const asked = resume === undefined ? askedFor(options) : undefined;
  const longest = longestOf(options);
  const whole = await pictureSize(path);
  const out = outOf(path, options);
  // What a run goes on from may not change while it is read.
  const release = await (resume === undefined ? claimFolder(out) : holdFolder(out));
  const staging = join(out, begunFile("-picture"));
  const interrupt = interruptible();
  const engines = new Engines(options.quiet);
  let picture: StagedPicture | undefined;
  let farm: RegionsFarm | undefined;
  try {
    const before = resume === undefined ? undefined : await openRunFolder(resume);
    const { config, side } = asked ?? goesOnWith(before!.description, out);
    // A run may be continued with the image that --longest reduced to its own.
    const size = reducedSize(whole, before ? longerSide(before.description.image) : longest);
    const plan = planRegions(size, side);
    const wasLearned = before?.description.regions?.done === plan.regions.length + plan.windows.length;
    if (askedFarm && !wasLearned) {
      const { openRegionsFarm } = await import("../farm/farmRegions.js");
      // Reading takes minutes, after which it would be late to say that there is no Redis.
      farm = await openRegionsFarm(out, askedFarm, options.quiet);
    }
    const engine = await engines.of(config.pipeline);
    const tell = options.quiet ? undefined : showProgress;
    tell?.({ said: `Reading ${whole.width}×${whole.height} pixels` });
    await disk.mkdir(staging);
    picture = await stage(path, size, staging, interrupt.signal);
    const folder = new RegionsFolder(out, completeConfig({ ...config, blobs: 1 }), size);
    const told = before
      ? await goOn(path, before, picture, folder, interrupt.signal)
      : await begin(path, config, side, plan, picture, options, interrupt.signal);
    // Workers may have the GPU that this process has not.
    if (!farm) told.config = engine.asTrained(told.config);
    const run = new RegionsRun(out, picture, plan, folder, engine, told);
    checkRegions(run);
    tell?.({ said: `Training on ${farm ? "workers" : engine.backend.description}: ${outlineOf(run)}` });
    if (farm) await farm.learn(run, config.pipeline, interrupt.signal);
    else {
      const hasNoGpu = told.config.pipeline === "cpu" || engine.isSoftware;
      const seconds = tell && hasNoGpu ? await run.secondsLeft(interrupt.signal) : undefined;
      const quickLook = before ? undefined : quickLookOf(size, options, told);
      if (seconds !== undefined) tell?.({ said: estimated(seconds, quickLook) });
      const progress = tell?.({ from: run.steps, until: run.stepsOf(run.jobs) }) ?? silence;
      await run.learn(progress, interrupt.signal).finally(() => progress.stop());
    }
    if (told.regions.done === 0 && !told.begun) {
      // Workers keep nothing of a region that is under way.
      throw new Failure(`Stopped before the first ${farm ? "region" : "step"}. Nothing was saved.`);
    }
    const isLearned = told.regions.done === run.jobs;
    if (isLearned) await removeParts(out);
    const finished = isLearned ? await run.finish(interrupt.signal) : undefined;
    report(out, finished ?? run.soFar(), options);
  } catch (error) {
    if (!interrupt.signal.aborted || (error as Error).name !== "AbortError") throw error;
    const rest = resume === undefined ? "Nothing was saved" : `${out} is unchanged`;
    throw new Failure(`Stopped while the image was read. ${rest}.`);
  } finally {
    await farm?.close();
    await picture?.close();
    await disk.remove(staging).catch(() => {});
    interrupt.release();
    engines.close();
    await release();
  }
}

/** Decodes an image to a folder, reduced to a size where it is larger. */
async function stage(path: string, size: Size, folder: string, signal: AbortSignal): Promise<StagedPicture> {
  const whole = await StagedPicture.open(path, join(folder, "picture.v"), signal);
  if (areaOf(whole) === areaOf(size)) return whole;
  try {
    return await whole.reduced(longerSide(size), join(folder, "reduced.v"), signal);
  } finally {
    await whole.close();
  }
}

const longerSide = ({ width, height }: Size) => Math.max(width, height);

/** Returns what a run is about to do: image size, regions, blobs and steps. */
function outlineOf({ picture, plan, told, jobs }: RegionsRun): string {
  const { blobs, steps } = told.config;
  const { length } = plan.regions;
  const parts = `${picture.width}×${picture.height} pixels in ${length} ${length === 1 ? "region" : "regions"}`;
  const rest = told.regions.done > 0 ? `, ${told.regions.done} of ${jobs} regions and seams are done` : "";
  return `${parts}, ${grouped(blobs)} blobs, ${grouped(steps)} steps each${rest}`;
}

function quickLookOf(image: Size, { blobs }: RegionsOptions, { config }: Told): QuickLook {
  const isChosen = blobs === undefined && config.preset === "quality";
  return { image, blobs: isChosen ? undefined : config.blobs, takesSeconds: false };
}

/** Removes what workers have learned, whichever command had them do it, once all of it counts. */
async function removeParts(out: string): Promise<void> {
  for (const path of [partsFolder, idFile]) await disk.remove(join(out, path));
  // It may be the store's too, which has more in it.
  await disk.rmdir(join(out, farmFolder)).catch(() => {});
}

/** @throws Failure where flags were given that mean nothing here */
function checkOptions(options: RegionsOptions): void {
  const goal = goalOf({ ...options });
  if (goal) throw usageFailure(`${flagOf(goal.kind)} cannot be combined with --regions.`);
  for (const field of ["recordGradientsEvery", "checkpoint", "resumeSchedule"] as const) {
    if (options[field] === undefined) continue;
    throw usageFailure(`${flagOf(field)} cannot be combined with --regions.`);
  }
  if (options.resume === undefined) return;
  const others = [...givenFields(options), "longest", "regionSize", "recordEvery", "out"] as const;
  const refused = others.find((field) => options[field] !== undefined);
  if (refused === undefined) return;
  throw usageFailure(`${flagOf(refused)} cannot be given with --resume: the run keeps its settings.`);
}

function askedFor(options: RegionsOptions): { config: TrainConfig; side: number } {
  const config = configOf(options);
  if (config.parameterization !== "direct") {
    const allowed = "direct for --regions, as in --preset quality";
    throw new ConfigError("parameterization", config.parameterization, allowed);
  }
  const side = options.regionSize === undefined ? usualSide : count("regionSize", numeric(options.regionSize));
  if (side < leastSide) throw new ConfigError("regionSize", side, `at least ${leastSide} pixels`);
  return { config, side };
}

function goesOnWith(before: RunDescription, name: string): { config: TrainConfig; side: number } {
  if (hasEnded(before)) throw usageFailure(`${name} has ended. A run by regions cannot be given more steps.`);
  return { config: before.config, side: before.regions!.side };
}

/** How many blobs each region is to have: by its detail, as a picture by itself would have them. */
async function begin(
  path: string,
  config: TrainConfig,
  side: number,
  { regions, windows }: Plan,
  picture: StagedPicture,
  { blobs, recordEvery }: RegionsOptions,
  signal: AbortSignal,
): Promise<Told> {
  const deserved: number[] = [];
  for (const { own } of regions) {
    await setImmediate();
    signal.throwIfAborted();
    deserved.push(blobsFor(await picture.part(own)));
  }
  const all = deserved.reduce((sum, own) => sum + own);
  const isChosen = blobs === undefined && config.preset === "quality";
  const share = isChosen ? 1 : config.blobs / all;
  const list = regions.map(({ own }, i) => ({ ...own, blobs: Math.max(1, Math.round(share * deserved[i])) }));
  return {
    config: completeConfig({ ...config, blobs: isChosen ? all : config.blobs }),
    image: { name: basename(path), width: picture.width, height: picture.height, hash: await picture.hash(signal) },
    recordEvery: recordEvery === undefined ? recordEveryOf(config) : count("recordEvery", numeric(recordEvery)),
    regions: { side, list, windows: windows.length, done: 0 },
    seconds: 0,
  };
}

async function goOn(
  path: string,
  before: RunRecord,
  picture: StagedPicture,
  folder: RegionsFolder,
  signal: AbortSignal,
): Promise<Told> {
  const { config, image, recordEvery, regions, timings, files = {}, ...told } = before.description;
  if ((await picture.hash(signal)) !== image.hash) throw usageFailure(`${path} is not the image of ${before.name}.`);
  const { begun, ...rest } = regions!;
  const read = (name: string) => before.file(name);
  await folder.reopen(Math.min(rest.done, rest.list.length), read, files);
  const { host, adapter, fallback, versions } = told;
  const by = { host, adapter, fallback, versions };
  const stopped = await folder.readBegun(begun, read);
  return { config, image, recordEvery, regions: rest, begun: stopped, seconds: timings.seconds, by };
}

/** Refuses what the engine cannot hold, before anything is learned. */
function checkRegions({ plan, engine, told }: RegionsRun): void {
  for (const [i, region] of plan.regions.entries()) {
    try {
      engine.backend.check(regionConfig(told.config, region, told.regions.list[i].blobs), region.learned);
    } catch (error) {
      if (!(error instanceof ConfigError) || error.field !== "image") throw error;
      throw new ConfigError("regionSize", told.regions.side, `less, since a picture must be ${error.allowed}`);
    }
  }
}

/** Prints the result of the command. */
function report(out: string, description: RunDescription, { json, quiet }: RegionsOptions): void {
  const { config, regions, timings, result, step } = description;
  const stopped = step < config.steps;
  if (json) process.stdout.write(`${JSON.stringify({ out, ...(stopped && { stopped }), ...description }, null, 2)}\n`);
  if (stopped) {
    process.exitCode = 1;
    process.stderr.write(`Stopped with ${regionsDone(regions!)}. Resume with: splatbook fit IMAGE --resume ${out}\n`);
  } else if (!json && !quiet) {
    const { file, psnr } = result;
    const of = `${config.blobs} blobs in ${regions!.list.length} regions`;
    const came = `${config.steps} steps each in ${duration(timings.seconds)}, PSNR ${psnr.toFixed(2)} dB`;
    const kept = `${runFiles.splat2d}: ${describeSize(file!)}, PSNR ${file!.psnr.toFixed(2)} dB`;
    process.stdout.write(`${out}: ${of}, ${came}; ${kept}\n`);
  }
}
