import { extname } from "node:path";
import { ConfigError } from "../engine/config.js";
import { parseNumber } from "../engine/fields.js";
import { coarsestPrecision, finestPrecision, quantizationSteps } from "../engine/files/splat2d/precision.js";
import { describeFileSize, encodeByError, fileSize, measureFile } from "../engine/files/splat2d/roundTrip.js";
import { encodeSplat2d, type Splat2d } from "../engine/files/splat2d/splat2d.js";
import { inRange } from "../engine/quoted.js";
import { type BlobSource, openBlobs, renderBlobs, renderSource } from "../runs/blobSource.js";
import { checkOutput, isStdout, type OutputOptions, writeOutput } from "../runs/output.js";
import { usageFailure } from "../terminal/failure.js";
import { psnrText } from "../terminal/formatCount.js";
import { alternativeTo } from "../terminal/removed.js";

export interface ExportOptions extends OutputOptions {
  precision?: string;
}

/** A file to write, and its summary: `facts` as JSON, `sentence` as text. */
interface ExportedFile {
  contents: Uint8Array;
  facts: object;
  sentence: string;
}

export async function exportBlobs(path: string, options: ExportOptions): Promise<void> {
  const { out } = options;
  const suffix = extname(out).toLowerCase();
  if (suffix !== ".splat2d" && !isStdout(out)) {
    const alternative = alternativeTo("export", suffix);
    if (alternative !== undefined) throw usageFailure(alternative);
    throw new ConfigError("out", out, "a file name that ends in .splat2d, or - for stdout");
  }
  const precision = options.precision === undefined ? undefined : precisionOf(parseNumber(options.precision));
  await checkOutput(options);
  const { contents, facts, sentence } = await splat2dOf(await openBlobs(path), precision);
  await writeOutput(options, contents, facts, sentence);
}

function precisionOf(value: number | string): number {
  if (typeof value === "number" && value >= coarsestPrecision && value <= finestPrecision) return value;
  throw new ConfigError("precision", value, `a number ${inRange(coarsestPrecision, finestPrecision)}`);
}

async function splat2dOf(source: BlobSource, precision: number | undefined): Promise<ExportedFile> {
  const { config, size } = source;
  const parameters = await source.parameters();
  const target = await source.target?.();
  if (!target) {
    // A .splat2d that is exported again keeps its quantization steps unless --precision is given.
    const steps = precision === undefined && source.steps ? source.steps : quantizationSteps(config, precision);
    const contents = encodeSplat2d(config, size, parameters, steps);
    const facts = fileSize(contents, size);
    return { contents, facts, sentence: describeFileSize(facts) };
  }
  const draw = (splat2d: Splat2d) => renderBlobs(splat2d, splat2d.size);
  const contents =
    precision === undefined
      ? await encodeByError(config, parameters, await renderSource(source, size), target, draw)
      : encodeSplat2d(config, size, parameters, quantizationSteps(config, precision));
  const facts = await measureFile(contents, target, draw);
  return { contents, facts, sentence: `${describeFileSize(facts)}, PSNR ${psnrText(facts.psnr)}` };
}
