import { ConfigError, type TrainConfig } from "../engine/config.js";
import { drawBlobs } from "../engine/draw.js";
import type { QuantizationSteps } from "../engine/files/splat2d/precision.js";
import { decodeSplat2d } from "../engine/files/splat2d/splat2d.js";
import { type FloatImage, type Image, maxPixels, type Size } from "../engine/image/image.js";
import { limitText } from "../engine/quoted.js";
import { BlobIndex } from "../engine/regions/blobs.js";
import { drawCrop } from "../engine/regions/draw.js";
import { areaOf, type Rect } from "../engine/regions/plan.js";
import { Engines } from "./engines.js";
import { isFile, readBytes } from "./inputFile.js";

/** The blobs of a run or of a .splat2d file. */
export interface BlobSource {
  config: TrainConfig;
  /** Size of the image. */
  size: Size;
  /** Returns 9·N raw parameters of all blobs, field-major. */
  parameters(): Promise<Float32Array>;
  /** Quantization steps of a .splat2d file. */
  steps?: QuantizationSteps;
  /** Whether the blobs may be too many to be rendered at once. */
  isInRegions?: boolean;
  /** Target image; absent for .splat2d files and runs in regions. */
  target?: () => Promise<Image>;
}

/** Most pixels of a render, which takes 16 bytes for each. */
const maxRenderPixels = 2 ** 28;

/**
 * Opens a run folder or a .splat2d file.
 * @throws Failure with the reason if it cannot be read
 */
export async function openBlobs(path: string): Promise<BlobSource> {
  if (await isFile(path)) {
    const { config, size, parameters, steps } = decodeSplat2d(await readBytes(path), path, true);
    return { config, size, parameters: async () => parameters, steps };
  }
  const { openRunFolder } = await import("./runFolder.js");
  const run = await openRunFolder(path);
  run.requireComplete();
  const { config, image, regions } = run.description;
  const { parameters } = await run.parameters();
  const size = { width: image.width, height: image.height };
  const source = { config, size, parameters: async () => parameters };
  return regions ? { ...source, isInRegions: true } : { ...source, target: () => run.target() };
}

type Blobs = Pick<BlobSource, "config" | "size"> & { parameters: Float32Array };

/**
 * Renders blobs at a size, on the engine that their config names.
 * @throws ConfigError if the size is too large
 */
export async function renderBlobs({ config, size, parameters }: Blobs, at: Size): Promise<FloatImage> {
  using engines = new Engines(true);
  const engine = await engines.engineFor(config.pipeline);
  const job = { config: engine.adaptConfig(config), size, parameters, renderSize: at };
  return await drawBlobs(engine.backend, job).catch((error) => {
    // The adapter reports the field `image`; here the limit applies to --size.
    if (!(error instanceof ConfigError) || error.field !== "image") throw error;
    throw new ConfigError("size", `${at.width}x${at.height}`, error.allowed);
  });
}

/**
 * Renders a source or a crop of it. Runs in regions are rendered piece by piece.
 * @throws ConfigError if the size is too large
 */
export async function renderSource(source: BlobSource, at: Size, crop?: Rect): Promise<FloatImage> {
  const { config, size } = source;
  if (areaOf(at) > maxRenderPixels) {
    throw new ConfigError("size", `${at.width}x${at.height}`, `at most ${limitText(maxRenderPixels)} pixels`);
  }
  const parameters = await source.parameters();
  if (!crop && !source.isInRegions && areaOf(size) <= maxPixels) return renderBlobs({ config, size, parameters }, at);
  using engines = new Engines(true);
  const engine = await engines.engineFor(config.pipeline);
  const index = new BlobIndex(engine.adaptConfig(config), size, [parameters]);
  return await drawCrop(engine.backend, index, crop ?? { x: 0, y: 0, ...size }, at);
}
