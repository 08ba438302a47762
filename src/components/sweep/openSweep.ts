import { html } from "htl";
import { changedFields, completeConfig } from "../../engine/config.js";
import { hasEnded } from "../../engine/files/runDescription.js";
import { runFiles } from "../../engine/files/runFiles.js";
import { RunRecord } from "../../engine/files/runRecord.js";
import { readSweepJson, type SweepJson } from "../../engine/files/sweepJson.js";
import type { Image } from "../../engine/image/image.js";
import { describeSweep, type Sweep } from "../../engine/sweep/sweep.js";
import { blobSource } from "../../host/browser/blobSource.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { type ChosenImage, decodeImage } from "../../host/browser/images.js";
import { type PickedFile, pickedFiles } from "../../host/browser/pickedFiles.js";
import { showError } from "../page/help.js";
import { thinRows } from "../runs/curve.js";
import { writeLink } from "../training/link.js";
import { startingJob } from "../training/startingJob.js";
import { writeSweepLink } from "./sweepJob.js";
import { curvePoint, curvePoints, imageKey, type SweepStore, thumbnailSide } from "./sweepStore.js";

/**
 * Returns inputs that open a sweep of the command line: a folder with its results, or a sweep.json. The page opens again
 * with its settings.
 * @param engineName value of `engine` in the address, which stays
 */
export function openSweep(store: SweepStore, kind: BrowserEngine["kind"], engineName: string | undefined): HTMLElement {
  const message = html`<p class="knob-error" role="status"></p>`;
  const onchange = async ({ target }: Event) => {
    try {
      const query = await linkTo(pickedFiles(target as HTMLInputElement), store, kind, engineName);
      location.assign(location.pathname + query);
    } catch (error) {
      showError(message, (error as Error).message, "A file or a run cannot be read");
    }
  };
  const picker = (text: string, attributes: object) =>
    html`<label class="file-picker">${text}<input type="file" class="visually-hidden" ${attributes} onchange=${onchange}></label>`;
  return html`<div class="sweep-opener">
    Open a sweep of the command line: its ${picker("folder", { webkitdirectory: true })} or its sweep.json
    ${picker("file", { accept: ".json" })}
    ${message}
  </div>`;
}

/** Stores the image and the results of a sweep, and returns the query of its page. */
async function linkTo(
  files: readonly PickedFile[],
  store: SweepStore,
  kind: BrowserEngine["kind"],
  engine: string | undefined,
): Promise<string> {
  const described = files
    .filter(({ path }) => /(^|\/)[^/]+\.json$/.test(path) && !path.endsWith(`/${runFiles.description}`))
    .sort((a, b) => a.path.length - b.path.length)[0];
  if (!described) throw new Error("The folder contains no sweep.json.");
  let json: SweepJson;
  try {
    json = readSweepJson(await described.file.text());
  } catch (error) {
    throw new Error(`The sweep in ${described.path} cannot be used: ${(error as Error).message.replace(/\.?$/, ".")}`);
  }
  const { sweep, image: imagePath, name = imagePath, longest } = json;
  const folder = described.path.slice(0, -described.file.name.length);
  const imageFile = files.find(({ path }) => path === folder + imagePath)?.file;
  const image = imageFile && (await decodeImage(imageFile, imagePath!, longest ?? Number.POSITIVE_INFINITY));
  const own = image && (await store.saveOwnImage({ ...image, name: name! }));
  const trained = image ? await storeRuns(files, folder, store, image.image) : undefined;
  // The command may have chosen the number of blobs, and replaced the pipeline.
  const config = completeConfig({
    ...(trained && sweep.config.preset === "quality" && { blobs: trained.blobs }),
    ...sweep.config,
    ...(trained && { pipeline: trained.pipeline }),
  });
  const size = image ? Math.max(image.image.width, image.image.height) : longest;
  const query = writeLink(config, startingJob(kind).config, {
    size: size === undefined ? undefined : String(size),
    engine,
  });
  const { vary, random } = describeSweep(sweep);
  return writeSweepLink(query, vary, { own, random });
}

/** Stores the results of a sweep's runs, and returns the config of one of them, if there are any. */
async function storeRuns(files: readonly PickedFile[], folder: string, store: SweepStore, image: Image) {
  const key = imageKey(image);
  let last: RunRecord["description"]["config"] | undefined;
  const descriptions = files.filter(({ path }) => path.startsWith(folder) && path.endsWith(`/${runFiles.description}`));
  for (const { path } of descriptions) {
    const runFolder = path.slice(0, -runFiles.description.length);
    const find = async (name: string) => files.find((file) => file.path === runFolder + name)?.file;
    const record = await RunRecord.open(blobSource(runFolder.slice(folder.length, -1), find));
    const { config, step, result, timings } = record.description;
    const { loss } = result;
    const psnr = result.psnr ?? Number.POSITIVE_INFINITY;
    const { seconds, stepsPerSecond } = timings;
    const status = hasEnded(record.description) ? "done" : "stopped";
    const render = await find(runFiles.render);
    // Another engine of JavaScript may have rounded it differently.
    const follows = !("covarianceScale" in changedFields(config));
    const here = completeConfig({ ...config, ...(follows && { covarianceScale: undefined }) });
    await store.saveRun(`${key} ${JSON.stringify(here)}`, {
      result: { status, sentence: "", loss, psnr, seconds, stepsPerSecond, step },
      curve: thinRows(await record.metrics(), curvePoints).map(curvePoint),
      picture: render && (await decodeImage(render, runFiles.render, thumbnailSide)).image,
    });
    last = config;
  }
  return last;
}

/** Returns the sweep.json of a sweep, which the command line takes with `--config`. */
export function sweepJson(sweep: Sweep, { name }: ChosenImage, longest: number): Blob {
  const json = JSON.stringify({ image: name, ...describeSweep(sweep), longest }, null, 2);
  return new Blob([`${json}\n`], { type: "application/json" });
}
