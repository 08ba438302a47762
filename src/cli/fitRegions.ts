import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { ConfigError, completeConfig, type TrainConfig } from "../engine/config.js";
import { fieldNames } from "../engine/fields.js";
import { hasDiverged } from "../engine/files/liveRun.js";
import { hasEnded, type RunDescription } from "../engine/files/runDescription.js";
import type { RunRecord } from "../engine/files/runRecord.js";
import type { Size } from "../engine/image/image.js";
import { reducedSize } from "../engine/image/reduce.js";
import { regionConfig } from "../engine/regions/fit.js";
import { defaultSide, planRegions, type RegionPlan } from "../engine/regions/plan.js";
import { suggestBlobCount } from "../engine/training/blobCount.js";
import type { RegionsFarm } from "../farm/farmRegions.js";
import { stdin } from "../host/node/imageFile.js";
import { imageSize, type StagedImage } from "../host/node/stagedImage.js";
import { acquireFolder, claimFolder } from "../runs/claimFolder.js";
import { disk } from "../runs/disk.js";
import { Engines } from "../runs/engines.js";
import { farmFolder, regionResultsFolder, storeIdFile } from "../runs/farmFolder.js";
import { describeEstimate, type QuickRun } from "../runs/forecast.js";
import { stageImage } from "../runs/readTarget.js";
import { defaultRecordEvery } from "../runs/recordEvery.js";
import { rowOf } from "../runs/recorder.js";
import { RegionsFolder } from "../runs/regions/regionsFolder.js";
import { type RegionsMetadata, RegionsRun } from "../runs/regions/regionsRun.js";
import { openRunFolder } from "../runs/runFolder.js";
import { temporaryName } from "../runs/staging.js";
import { Failure, usageFailure } from "../terminal/failure.js";
import { formatCount } from "../terminal/formatCount.js";
import { interruptible, stoppedExitCode } from "../terminal/interrupt.js";
import { noProgress, type Progress, showLine, showProgress } from "../terminal/progress.js";
import { AlertReports } from "./alerts.js";
import { configOf } from "./configFlags.js";
import { farmOf, installQueue } from "./farmOptions.js";
import { type FitOptions, missingImage, outFolderOf } from "./fitOptions.js";
import type { FitOutput } from "./fitOutput.js";
import { printResult } from "./fitResult.js";
import { goalKinds } from "./goalFlags.js";
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
  if (path === undefined) {
    if (resume === undefined) throw missingImage();
    throw usageFailure(
      `${resume} does not contain its image, so give the image too: splatbook fit IMAGE --resume ${resume}.`,
    );
  }
  if (path === stdin) throw usageFailure("An image from stdin cannot be fitted in regions. Save it as a file.");
  const requested = resume === undefined ? requestedSettings(options) : undefined;
  const original = await imageSize(path);
  const out = outFolderOf(path, options);
  // The resumed run must not change while it is read.
  await using _lock = await (resume === undefined ? claimFolder(out) : acquireFolder(out));
  using interrupt = interruptible();
  using engines = new Engines(options.quiet);
  const staging = join(out, temporaryName("-image"));
  let target: StagedImage | undefined;
  let farm: RegionsFarm | undefined;
  const alerts = new AlertReports({ out, image: basename(path) }, options, output);
  try {
    const previous = resume === undefined ? undefined : await openRunFolder(resume);
    const { config, side } = requested ?? resumedSettings(previous!.description, out);
    // A run may be continued with the image that --longest reduced to its own.
    const size = reducedSize(original, previous ? longerSide(previous.description.image) : longest);
    const plan = planRegions(size, side);
    const wasTrained = previous?.description.regions?.done === plan.regions.length + plan.windows.length;
    if (farmSettings && !wasTrained) {
      installQueue();
      const { openRegionsFarm } = await import("../farm/farmRegions.js");
      // A missing Redis is reported before the image is read, which takes minutes.
      farm = await openRegionsFarm(out, farmSettings, options.quiet);
    }
    const engine = await engines.engineFor(config.pipeline);
    const show = options.quiet ? undefined : showLine;
    show?.(`Reading ${original.width}×${original.height} pixels`);
    await disk.mkdir(staging);
    target = await stageImage(path, longerSide(size), staging, interrupt.signal);
    const folder = new RegionsFolder(out, completeConfig({ ...config, blobs: 1 }), size);
    const metadata = previous
      ? await resumedMetadata(path, previous, target, folder, interrupt.signal)
      : await newMetadata(path, config, side, plan, target, options, interrupt.signal);
    // Workers may have a GPU even if this process has none.
    if (!farm) metadata.config = engine.adaptConfig(metadata.config);
    const run = new RegionsRun(out, target, plan, folder, engine, metadata, alertAfter, alerts.add);
    checkRegions(run);
    show?.(`Training on ${farm ? "workers" : engine.backend.description}: ${describeRun(run)}`);
    const quickBlobs = choosesBlobs(options, config) ? undefined : config.blobs;
    const quickRun = previous ? undefined : { image: size, blobs: quickBlobs, takesSeconds: false };
    if (farm) await farm.learn(run, config.pipeline, interrupt.signal);
    else await trainHere(run, quickRun, options.quiet, output, interrupt.signal);
    if (metadata.regions.done === 0 && !metadata.begun) {
      // Workers save only finished regions.
      throw new Failure(
        `Stopped before the first ${farm ? "region" : "step"}. Nothing was saved.`,
        stoppedExitCode(interrupt.signal),
      );
    }
    const isTrained = metadata.regions.done === run.taskCount;
    if (isTrained) await removeRegionResults(out);
    const finished = isTrained ? await run.finish(interrupt.signal) : undefined;
    const description = finished ?? run.currentDescription();
    return printResult(out, description, hasDiverged(description), output, interrupt.signal);
  } catch (error) {
    if (!interrupt.signal.aborted || (error as Error).name !== "AbortError") throw error;
    const rest = resume === undefined ? "Nothing was saved" : `${out} is unchanged`;
    throw new Failure(`Stopped while the image was read. ${rest}.`, stoppedExitCode(interrupt.signal));
  } finally {
    await alerts.end();
    await farm?.close();
    await target?.close();
    await disk.remove(staging).catch(() => {});
  }
}

/** Trains in this process. Without a GPU, it first estimates the duration. */
async function trainHere(
  run: RegionsRun,
  quickRun: QuickRun | undefined,
  quiet: boolean | undefined,
  output: FitOutput,
  signal: AbortSignal,
) {
  const hasNoGpu = run.metadata.config.pipeline === "cpu" || run.engine.isSoftware;
  const seconds = hasNoGpu && !quiet ? await run.estimateSecondsLeft(signal) : undefined;
  if (seconds !== undefined) showLine(describeEstimate(seconds, quickRun));
  const span = { unit: "step", from: run.steps, until: run.stepsOf(run.taskCount) } as const;
  const { update, stop } = quiet ? noProgress : showProgress(span);
  const updateWithRows: Progress["update"] = (snapshot) => {
    update(snapshot);
    if (snapshot.recorded) output.line("step", { out: run.out, ...rowOf(snapshot) });
  };
  return run.learn({ update: updateWithRows, stop }, signal).finally(stop);
}

const longerSide = ({ width, height }: Size) => Math.max(width, height);

/** Returns what a run is about to do: image size, regions, blobs and steps. */
function describeRun({ target, plan, metadata, taskCount }: RegionsRun): string {
  const { blobs, steps } = metadata.config;
  const { length } = plan.regions;
  const sizeText = `${target.width}×${target.height} pixels in ${length} ${length === 1 ? "region" : "regions"}`;
  const rest = metadata.regions.done > 0 ? `, ${metadata.regions.done} of ${taskCount} regions and seams are done` : "";
  return `${sizeText}, ${formatCount(blobs)} blobs, ${formatCount(steps)} steps each${rest}`;
}

function choosesBlobs({ blobs }: FitOptions, { preset }: TrainConfig): boolean {
  return blobs === undefined && preset === "quality";
}

/** Removes the results of workers, including those of earlier commands, once all of them are part of the run. */
async function removeRegionResults(out: string): Promise<void> {
  for (const path of [regionResultsFolder, storeIdFile]) await disk.remove(join(out, path));
  // The store may use the same folder and still have files in it.
  await disk.rmdir(join(out, farmFolder)).catch(() => {});
}

/** @throws Failure if flags were given that do not apply to regions */
function checkOptions(options: FitOptions): void {
  const wholeImageOnly = [...goalKinds, "recordGradientsEvery", "checkpoint", "resumeSchedule"] as const;
  refuseOptions(options, wholeImageOnly, "combined with --regions");
  if (options.resume === undefined) return;
  const kept = [...fieldNames, "config", "longest", "regionSize", "recordEvery", "out"] as const;
  refuseOptions(options, kept, "given with --resume: the run keeps its settings");
}

function requestedSettings(options: FitOptions): { config: TrainConfig; side: number } {
  const config = configOf(options);
  if (config.parameterization !== "direct") {
    const allowed = "direct for --regions, as in --preset quality";
    throw new ConfigError("parameterization", config.parameterization, allowed);
  }
  const { regionSize: side = defaultSide } = options;
  if (side < minimumSide) throw new ConfigError("regionSize", side, `at least ${minimumSide} pixels`);
  return { config, side };
}

function resumedSettings(previous: RunDescription, name: string): { config: TrainConfig; side: number } {
  if (hasEnded(previous)) throw usageFailure(`${name} has ended. A run in regions cannot be given more steps.`);
  return { config: previous.config, side: previous.regions!.side };
}

/** Returns the metadata of a new run. Each region gets blobs by its detail, like an image of its own. */
async function newMetadata(
  path: string,
  config: TrainConfig,
  side: number,
  { regions, windows }: RegionPlan,
  target: StagedImage,
  options: FitOptions,
  signal: AbortSignal,
): Promise<RegionsMetadata> {
  const detailBlobs: number[] = [];
  for (const { own } of regions) {
    await setImmediate();
    signal.throwIfAborted();
    detailBlobs.push(suggestBlobCount(await target.crop(own)));
  }
  const total = detailBlobs.reduce((sum, own) => sum + own);
  const isChosen = choosesBlobs(options, config);
  const scale = isChosen ? 1 : config.blobs / total;
  const list = regions.map(({ own }, i) => ({ ...own, blobs: Math.max(1, Math.round(scale * detailBlobs[i])) }));
  return {
    config: completeConfig({ ...config, blobs: isChosen ? total : config.blobs }),
    image: { name: basename(path), width: target.width, height: target.height, hash: await target.hash(signal) },
    recordEvery: options.recordEvery ?? defaultRecordEvery(config),
    regions: { side, list, windows: windows.length, done: 0 },
    seconds: 0,
  };
}

async function resumedMetadata(
  path: string,
  previous: RunRecord,
  target: StagedImage,
  folder: RegionsFolder,
  signal: AbortSignal,
): Promise<RegionsMetadata> {
  const { config, image, recordEvery, regions, timings, files = {}, ...metadata } = previous.description;
  if ((await target.hash(signal)) !== image.hash) throw usageFailure(`${path} is not the image of ${previous.name}.`);
  const { begun, ...rest } = regions!;
  const read = (name: string) => previous.file(name);
  await folder.restore(Math.min(rest.done, rest.list.length), read, files);
  const { host, adapter, fallback, versions, alerts } = metadata;
  const trainedBy = { host, adapter, fallback, versions };
  const stopped = await folder.readUnfinished(begun, read);
  const { seconds } = timings;
  return { config, image, recordEvery, regions: rest, begun: stopped, seconds, trainedBy, ...(alerts && { alerts }) };
}

/** @throws ConfigError if the engine cannot hold a region */
function checkRegions({ plan, engine, metadata }: RegionsRun): void {
  for (const [i, region] of plan.regions.entries()) {
    try {
      engine.backend.check(regionConfig(metadata.config, region, metadata.regions.list[i].blobs), region.learned);
    } catch (error) {
      if (!(error instanceof ConfigError) || error.field !== "image") throw error;
      throw new ConfigError(
        "regionSize",
        metadata.regions.side,
        `smaller, since a region is an image, which must be ${error.allowed}`,
      );
    }
  }
}
