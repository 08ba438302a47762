import { extname } from "node:path";
import { ConfigError } from "../engine/config.js";
import { parseNumber } from "../engine/fields.js";
import { coarsestPrecision, finestPrecision, quantizationSteps } from "../engine/files/splat2d/precision.js";
import { describeFileSize, encodeByError, fileSize, measureFile } from "../engine/files/splat2d/roundTrip.js";
import { encodeSplat2d, type Splat2d } from "../engine/files/splat2d/splat2d.js";
import { toSvg } from "../engine/files/svg/svg.js";
import { type Size, toImage } from "../engine/image/image.js";
import { inRange } from "../engine/quoted.js";
import { encodePng } from "../host/node/imageFile.js";
import { type BlobSource, openBlobs, renderBlobs, renderSource } from "../runs/blobSource.js";
import { checkOutput, isStdout, type OutputOptions, writeOutput } from "../runs/output.js";
import { usageFailure } from "../terminal/failure.js";
import { formatCount, psnrText } from "../terminal/formatCount.js";
import { type ExportFormat, exportFormats, type TableFormat } from "./exportFormats.js";
import { checkName } from "./options.js";

export interface ExportOptions extends OutputOptions {
  format?: string;
  size?: Size;
  precision?: string;
}

/** A file to write, and its summary: `facts` as JSON, `sentence` as text. */
interface ExportedFile {
  contents: Uint8Array;
  facts: object;
  sentence: string;
}

export async function exportBlobs(path: string, options: ExportOptions): Promise<void> {
  const format = formatOf(options);
  const { size } = options;
  if (format !== "png" && format !== "svg" && size !== undefined) {
    throw usageFailure(`--size is for a .png or .svg; a .${format} has no size.`);
  }
  if (format !== "splat2d" && options.precision !== undefined) throw usageFailure("--precision is for a .splat2d.");
  const precision = options.precision === undefined ? undefined : precisionOf(parseNumber(options.precision));
  await checkOutput(options);
  const { contents, facts, sentence } = await writers[format](path, { size, precision });
  await writeOutput(options, contents, facts, sentence);
}

const anySuffix = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(exportFormats.map((name) => `.${name}`));

function formatOf({ out, format }: ExportOptions): ExportFormat {
  if (format !== undefined) return checkName("--format", format, exportFormats);
  if (isStdout(out)) throw usageFailure("--out - needs --format, such as --format png.");
  const suffix = extname(out).toLowerCase().slice(1);
  const named = exportFormats.find((name) => name === suffix);
  if (named) return named;
  throw new ConfigError("out", out, `a file name that ends in ${anySuffix}, or - for stdout`);
}

function precisionOf(value: number | string): number {
  if (typeof value === "number" && value >= coarsestPrecision && value <= finestPrecision) return value;
  throw new ConfigError("precision", value, `a number ${inRange(coarsestPrecision, finestPrecision)}`);
}

type Writer = (path: string, settings: { size?: Size; precision?: number }) => Promise<ExportedFile>;

const tableWriter =
  (format: TableFormat): Writer =>
  async (path) => {
    const { openTable, tableWriters } = await import("./exportTable.js");
    const table = await openTable(path);
    const contents = tableWriters[format](table);
    const facts = { bytes: contents.length, rows: table.rows, columns: table.columns.length };
    const [bytes, rows, columns] = Object.values(facts).map(formatCount);
    return { contents, facts, sentence: `${bytes} bytes, ${rows} rows of ${columns} columns` };
  };

const writers: Record<ExportFormat, Writer> = {
  splat2d: async (path, { precision }) => {
    const source = await openBlobs(path);
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
  },
  svg: async (path, settings) => {
    const source = await openBlobs(path);
    const size = settings.size ?? source.size;
    const { text, limits } = toSvg(source.config, source.size, await source.parameters(), size);
    const contents = new TextEncoder().encode(text);
    const facts = { ...size, bytes: contents.length, limits };
    return {
      contents,
      facts,
      sentence: `${formatCount(contents.length)} bytes, ${pixelsText(size)}. ${limits.join(" ")}`,
    };
  },
  png: async (path, settings) => {
    const source: BlobSource = await openBlobs(path);
    const size = settings.size ?? source.size;
    const contents = await encodePng(toImage(await renderSource(source, size)));
    return { contents, facts: size, sentence: pixelsText(size) };
  },
  parquet: tableWriter("parquet"),
  csv: tableWriter("csv"),
  json: tableWriter("json"),
};

function pixelsText({ width, height }: Size): string {
  return `${width}x${height} pixels`;
}
