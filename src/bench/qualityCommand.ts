import { join, parse } from "node:path";
import { numeric } from "../engine/fields.js";
import { nodeCpu } from "../host/node/cpu.js";
import { openEngine } from "../host/node/engine.js";
import { describeHost } from "../host/node/gpu.js";
import { writeFile } from "../runs/staging.js";
import { Failure, usageFailure } from "../terminal/failure.js";
import { count, flagOf, outPath, parseSize } from "../terminal/flags.js";
import { type BenchOptions, pipelineNames } from "./options.js";
import { type NamedPicture, trainQuality } from "./quality.js";
import { qualityJobs } from "./qualityJobs.js";
import { QualityRecord } from "./qualityRecord.js";
import { resizeImage } from "./resize.js";
import type { BenchSite } from "./site.js";
import { qualityTable } from "./table.js";

/** Carries out `splatbook bench --quality`. */
export async function benchQuality(site: BenchSite, paths: string[], options: BenchOptions): Promise<void> {
  if (options.out === undefined) throw usageFailure("--quality needs --out, the Arrow file to write.");
  for (const name of ["scaling", "seconds", "tile", "gaussiansPerBlock"] as const) {
    if (options[name] !== undefined) throw usageFailure(`${flagOf(name)} has no meaning with --quality.`);
  }
  const out = outPath(options.out);
  const names = pipelineNames(options.pipelines ?? "binned");
  if (names.length > 1) throw usageFailure(`--quality trains with one of --pipelines, not ${names.length}.`);
  const [pipeline] = names;
  const list = (text?: string) => text?.split(",").map((part) => part.trim());
  const jobs = qualityJobs({
    rows: list(options.rows),
    blobs: list(options.blobs)?.map((text) => count("blobs", numeric(text))),
    steps: options.steps === undefined ? undefined : count("steps", numeric(options.steps)),
    common: { pipeline },
  });
  const workers = options.workers === undefined ? undefined : count("workers", numeric(options.workers));
  const pictures = await loadPictures(site, paths.length > 0 ? paths : await site.gallery(), options.size);

  const engine = await openEngine(pipeline, site.readLibrary);
  try {
    if (engine.fallback !== undefined) throw new Failure(`${engine.fallback} --pipelines cpu can be trained with.`);
    const backend = pipeline === "cpu" ? nodeCpu(workers) : engine.backend;
    const record = await QualityRecord.open(out, {
      date: new Date().toISOString(),
      ...(site.commit !== undefined && { commit: site.commit }),
      versions: site.versions,
      host: describeHost(),
      adapter: backend.description,
    });
    const note = options.quiet ? () => {} : (progress: string) => process.stderr.write(`${progress}\n`);
    let left = 0;
    for (const job of jobs) {
      const isNew = ({ name, image }: NamedPicture) => !record.has({ ...job, ...image, image: name });
      const wanted = pictures.filter(isNew);
      left += pictures.length - wanted.length;
      for await (const trained of trainQuality([job], wanted, backend)) {
        const { row, image, blobs, psnr, seconds } = trained.run;
        if (trained.file && options.keep !== undefined) {
          await writeFile(join(options.keep, `${image}-${row.replaceAll(" ", "-")}-${blobs}.splat2d`), trained.file);
        }
        await record.add(trained);
        note(`${row}, ${image}, ${blobs} blobs: ${psnr.toFixed(2)} dB in ${seconds.toPrecision(3)} s`);
      }
    }
    if (left > 0) note(`${left} of the runs were in ${out} already, and stay as they are.`);
    const { quality } = record;
    process.stdout.write(options.json ? `${JSON.stringify(quality, null, 2)}\n` : qualityTable(quality));
  } finally {
    engine.close();
  }
}

async function loadPictures(site: BenchSite, paths: string[], size: string | undefined): Promise<NamedPicture[]> {
  const asked = size === undefined ? undefined : parseSize(size);
  const pictures: NamedPicture[] = [];
  for (const path of paths) {
    const loaded = await site.loadImage(path);
    const { name } = parse(loaded.name);
    if (pictures.some((other) => other.name === name)) {
      throw usageFailure(`Two pictures are named ${name}, and could not be told apart.`);
    }
    pictures.push({ name, image: asked ? resizeImage(loaded.image, asked) : loaded.image });
  }
  return pictures;
}
