import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { ConfigError, completeConfig, type TrainConfig } from "../engine/config.js";
import { fieldNames } from "../engine/fields.js";
import { formatVersion } from "../engine/files/formatVersion.js";
import { hasDiverged } from "../engine/files/liveRun.js";
import { hasEnded, type RunDescription } from "../engine/files/runDescription.js";
import type { Size } from "../engine/image/image.js";
import { reducedSize } from "../engine/image/reduce.js";
import { defaultSide, planRegions, type RegionPlan } from "../engine/regions/plan.js";
import { suggestBlobCount } from "../engine/training/blobCount.js";
import type { Snapshot } from "../engine/training/snapshot.js";
import { Farm } from "../farm/farm.js";
import { farmFolder } from "../farm/store.js";
import { describeEngine, type Engine } from "../host/node/engine.js";
import { stdin } from "../host/node/imageFile.js";
import { imageSize, type StagedImage } from "../host/node/stagedImage.js";
import { acquireFolder, claimFolder } from "../runs/claimFolder.js";
import { disk } from "../runs/disk.js";
import { Engines } from "../runs/engines.js";
import { stageImage } from "../runs/readTarget.js";
import { defaultRecordEvery } from "../runs/recordEvery.js";
import { rowOf } from "../runs/recorder.js";
import { RegionsRun } from "../runs/regions/regionsRun.js";
import { openRunFolder } from "../runs/runFolder.js";
import { temporaryName } from "../runs/staging.js";
import { Failure, usageFailure } from "../terminal/failure.js";
import { formatCount } from "../terminal/formatCount.js";
import { interruptible, stoppedExitCode } from "../terminal/interrupt.js";
import { noProgress, showLine, showProgress } from "../terminal/progress.js";
import { configOf } from "./configFlags.js";
import { farmOf } from "./farmOptions.js";
import { type FitOptions, missingImage, outFolderOf } from "./fitOptions.js";
import type { FitOutput } from "./fitOutput.js";
import { printResult } from "./fitResult.js";
import { refuseOptions } from "./options.js";

/** Smallest side of a region in pixels. A smaller region would be all halo. */
const minimumSide = 64;

/**
 * Fits an image in regions, and writes the run as a folder. Each region and window is saved when it is done.
 * @returns the exit code
 */
export async function fitRegions(path: string | undefined, options: FitOptions, output: FitOutput): Promise<number> {
  const { resume, longest = Number.POSITIVE_INFINITY, alertAfter } = options;
  checkOptions(options);
  const farmSettings = farmOf(options);
  if (path === undefined && resume === undefined) throw missingImage();
  if (path === undefined) {
    const command = `splatbook fit IMAGE --resume ${resume}`;
    throw usageFailure(`${resume} does not contain its image, so give the image too: ${command}.`);
  }
  if (path === stdin) throw usageFailure("An image from stdin cannot be fitted in regions. Save it as a file.");
  const requested = resume === undefined ? requestedConfig(options) : undefined;
  const original = await imageSize(path);
  const out = outFolderOf(path, options);
  // The resumed run must not change while it is read.
  await using _lock = await (resume === undefined ? claimFolder(out) : acquireFolder(out));
  using interrupt = interruptible();
  using engines = new Engines(options.quiet);
  const staging = join(out, temporaryName("-image"));
  let target: StagedImage | undefined;
  let farm: Farm | undefined;
  try {
    const previous = resume === undefined ? undefined : await openRunFolder(resume);
    if (previous && hasEnded(previous.description)) {
      throw usageFailure(`${out} has ended. A run in regions cannot be given more steps.`);
    }
    const config = requested ?? previous!.description.config;
    const side = previous?.description.regions?.side ?? options.regionSize ?? defaultSide;
    // A run may be continued with the image that --longest reduced to its own.
    const size = reducedSize(original, previous ? longerSide(previous.description.image) : longest);
    const plan = planRegions(size, side);
    const wasTrained = previous?.description.regions?.done === plan.regions.length + plan.windows.length;
    if (farmSettings && !wasTrained) {
      // A missing Redis is reported before the image is read, which takes minutes.
      farm = await Farm.open(out, farmSettings, options.quiet);
    }
    const engine = await engines.engineFor(config.pipeline);
    const show = options.quiet ? undefined : showLine;
    show?.(`Reading ${original.width}×${original.height} pixels`);
    await disk.mkdir(staging);
    target = await stageImage(path, longerSide(size), staging, interrupt.signal);
    if (previous && (await target.hash(interrupt.signal)) !== previous.description.image.hash)
      throw usageFailure(`${path} is not the image of ${previous.name}.`);
    const begun =
      previous?.description ??
      (await newDescription(path, config, side, plan, target, options, engine, interrupt.signal));
    // Workers may have a GPU even if this process has none.
    const description = farm ? begun : { ...begun, config: engine.adaptConfig(begun.config) };
    const run = new RegionsRun(out, target, plan, engine, description, alertAfter, (alert) =>
      output.alert({ out, image: basename(path) }, alert),
    );
    if (previous) await run.restore(previous);
    checkRegions(run);
    show?.(`Training on ${farm ? "workers" : engine.backend.description}: ${describeRun(run)}`);
    if (farm) {
      const { learnOnWorkers } = await import("../farm/farmRegions.js");
      await learnOnWorkers(run, config.pipeline, farm, options.quiet, interrupt.signal);
    } else await trainHere(run, options.quiet, output, interrupt.signal);
    if (run.done === 0) {
      throw new Failure("Stopped before the first region. Nothing was saved.", stoppedExitCode(interrupt.signal));
    }
    if (run.done === run.taskCount) {
      // Files of workers, including those of earlier commands.
      await disk.remove(join(out, farmFolder));
      await run.finish(interrupt.signal);
    }
    return printResult(out, run.description, hasDiverged(run.description), output, interrupt.signal);
  } catch (error) {
    if (!interrupt.signal.aborted || (error as Error).name !== "AbortError") throw error;
    const rest = resume === undefined ? "Nothing was saved" : `${out} is unchanged`;
    throw new Failure(`Stopped while the image was read. ${rest}.`, stoppedExitCode(interrupt.signal));
  } finally {
    await farm?.close();
    await target?.close();
    await disk.remove(staging).catch(() => {});
  }
}

/** Trains in this process. */
async function trainHere(run: RegionsRun, quiet: boolean | undefined, output: FitOutput, signal: AbortSignal) {
  const progress = quiet ? noProgress : showProgress({ unit: "step", until: run.stepsOf(run.taskCount) });
  const onSnapshot = (snapshot: Snapshot) => {
    progress.update(snapshot);
    if (snapshot.recorded) output.line("step", { out: run.out, ...rowOf(snapshot) });
  };
  return run.learn(onSnapshot, signal).finally(progress.stop);
}

const longerSide = ({ width, height }: Size) => Math.max(width, height);

/** Returns what a run is about to do: image size, regions, blobs and steps. */
function describeRun({ target, plan, description, done, taskCount }: RegionsRun): string {
  const { blobs, steps } = description.config;
  const { length } = plan.regions;
  const sizeText = `${target.width}×${target.height} pixels in ${length} ${length === 1 ? "region" : "regions"}`;
  const rest = done > 0 ? `, ${done} of ${taskCount} regions and seams are done` : "";
  return `${sizeText}, ${formatCount(blobs)} blobs, ${formatCount(steps)} steps each${rest}`;
}

function choosesBlobs({ blobs }: FitOptions, { preset }: TrainConfig): boolean {
  return blobs === undefined && preset === "quality";
}

/** @throws Failure if flags were given that do not apply to regions */
function checkOptions(options: FitOptions): void {
  const wholeImageOnly = ["psnr", "seconds", "recordGradientsEvery", "checkpoint"] as const;
  refuseOptions(options, wholeImageOnly, "combined with --regions");
  if (options.resume === undefined) return;
  const kept = [...fieldNames, "config", "longest", "regionSize", "recordEvery", "out"] as const;
  refuseOptions(options, kept, "given with --resume: the run keeps its settings");
}

function requestedConfig(options: FitOptions): TrainConfig {
  const config = configOf(options);
  if (config.parameterization !== "direct") {
    const allowed = "direct for --regions, as in --preset quality";
    throw new ConfigError("parameterization", config.parameterization, allowed);
  }
  const { regionSize = defaultSide } = options;
  if (regionSize < minimumSide) throw new ConfigError("regionSize", regionSize, `at least ${minimumSide} pixels`);
  return config;
}

/** Returns run.json of a new run. Each region gets blobs by its detail, like an image of its own. */
async function newDescription(
  path: string,
  requested: TrainConfig,
  side: number,
  { regions, windows }: RegionPlan,
  target: StagedImage,
  options: FitOptions,
  engine: Engine,
  signal: AbortSignal,
): Promise<RunDescription> {
  const detailBlobs: number[] = [];
  for (const { own } of regions) {
    await setImmediate();
    signal.throwIfAborted();
    detailBlobs.push(suggestBlobCount(await target.crop(own)));
  }
  const total = detailBlobs.reduce((sum, own) => sum + own);
  const config = choosesBlobs(options, requested) ? completeConfig({ ...requested, blobs: total }) : requested;
  const list = regions.map(({ own }, i) => {
    return { ...own, blobs: Math.max(1, Math.round((config.blobs / total) * detailBlobs[i])) };
  });
  // Workers may have a GPU.
  const { fallback, ...trainedBy } = describeEngine(engine);
  return {
    version: formatVersion,
    config,
    image: { name: basename(path), width: target.width, height: target.height, hash: await target.hash(signal) },
    step: 0,
    recordEvery: options.recordEvery ?? defaultRecordEvery(config),
    regions: { side, list, windows: windows.length, done: 0 },
    film: [],
    ...trainedBy,
    timings: { finishedAt: "", seconds: 0, stepsPerSecond: 0 },
    result: { loss: 0, psnr: 0 },
  };
}

/** @throws ConfigError if the engine cannot hold a region */
function checkRegions(run: RegionsRun): void {
  for (const [i, { learned }] of run.plan.regions.entries()) {
    try {
      run.engine.backend.check(run.regionConfig(i), learned);
    } catch (error) {
      if (!(error instanceof ConfigError) || error.field !== "image") throw error;
      const allowed = `smaller, since a region is an image, which must be ${error.allowed}`;
      throw new ConfigError("regionSize", run.description.regions!.side, allowed);
    }
  }
}
