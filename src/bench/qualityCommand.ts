import { parse } from "node:path";
import { parseNumber } from "../engine/fields.js";
import { nodeCpu } from "../host/node/cpu.js";
import { openEngine } from "../host/node/engine.js";
import { Failure, usageFailure } from "../terminal/failure.js";
import { checkCount, checkPath, flagOf, optionalCount } from "../terminal/flags.js";
import { type BenchOptions, pipelineNames, progressNote } from "./options.js";
import { benchOrigin } from "./origin.js";
import { type NamedImage, trainQuality } from "./quality.js";
import { qualityJobs } from "./qualityJobs.js";
import { QualityRecord } from "./qualityRecord.js";
import { loadResized } from "./resize.js";
import type { BenchSite } from "./site.js";
import { qualityTable } from "./table.js";

/** Runs `splatbook bench --quality`. */
export async function benchQuality(site: BenchSite, paths: string[], options: BenchOptions): Promise<void> {
  if (options.out === undefined) throw usageFailure("--quality needs --out, the Arrow file to write.");
  for (const name of ["scaling", "seconds", "tile", "gaussiansPerBlock"] as const) {
    if (options[name] !== undefined) throw usageFailure(`${flagOf(name)} cannot be combined with --quality.`);
  }
  const out = checkPath(options.out);
  const names = pipelineNames(options.pipelines ?? "binned");
  if (names.length > 1)
    throw usageFailure(`--quality needs exactly one pipeline in --pipelines (got ${names.length}).`);
  const [pipeline] = names;
  const list = (text?: string) => text?.split(",").map((item) => item.trim());
  const jobs = qualityJobs({
    rows: list(options.rows),
    blobs: list(options.blobs)?.map((text) => checkCount("blobs", parseNumber(text))),
    steps: optionalCount("steps", options.steps),
    common: { pipeline },
  });
  const workers = optionalCount("workers", options.workers);
  const images = await loadImages(site, paths.length > 0 ? paths : await site.gallery(), options.size);

  const engine = await openEngine(pipeline, site.readLibrary);
  try {
    if (engine.fallback !== undefined) throw new Failure(`${engine.fallback} Use --pipelines cpu.`);
    const backend = pipeline === "cpu" ? nodeCpu(workers) : engine.backend;
    const record = await QualityRecord.open(out, { ...benchOrigin(site), adapter: backend.description });
    const note = progressNote(options.quiet);
    let skipped = 0;
    for (const job of jobs) {
      const isNew = ({ name, image }: NamedImage) => !record.has({ ...job, ...image, image: name });
      const newImages = images.filter(isNew);
      skipped += images.length - newImages.length;
      for await (const run of trainQuality([job], newImages, backend)) {
        const { row, image, blobs, psnr, seconds } = run;
        await record.add(run);
        note(`${row}, ${image}, ${blobs} blobs: ${psnr.toFixed(2)} dB in ${seconds.toPrecision(3)} s`);
      }
    }
    if (skipped > 0) note(`Skipped ${skipped} of the runs, which are already in ${out}.`);
    const { quality } = record;
    process.stdout.write(options.json ? `${JSON.stringify(quality, null, 2)}\n` : qualityTable(quality));
  } finally {
    engine.close();
  }
}

async function loadImages(site: BenchSite, paths: string[], size: string | undefined): Promise<NamedImage[]> {
  const images: NamedImage[] = [];
  for (const path of paths) {
    const { name: file, image } = await loadResized(site, path, size);
    const { name } = parse(file);
    if (images.some((other) => other.name === name)) {
      throw usageFailure(`Images need different file names (got two named ${name}).`);
    }
    images.push({ name, image });
  }
  return images;
}
