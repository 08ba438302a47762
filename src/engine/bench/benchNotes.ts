// Units and descriptions of the columns of the Arrow files that measurements are written to.
import type { ColumnNote, ColumnNotes } from "../files/columnNotes.js";

/** Returns the column of scaling.arrow with the bytes of a buffer. */
export const bufferBytes = (label: string) => `bytes_${label}`;

/** Returns what the columns of scaling.arrow hold, given the labels of the buffers that have a column each. */
export function scalingNotes(buffers: readonly string[]): ColumnNotes {
  const pixels = (description: string): ColumnNote => ({ unit: "px", range: "from 1", description });
  const counted = (unit: string, description: string): ColumnNote => ({ unit, range: "from 0", description });
  const time = (description: string): ColumnNote => ({ unit: "ms", range: "from 0; NaN if refused", description });
  const bytes = (description: string): ColumnNote => ({ unit: "B", range: "from 0", description });
  return {
    axis: { unit: "text", range: "", description: "What the rows of a curve differ in, such as blobs" },
    pipeline: { unit: "text", range: "", description: "Pipeline that was measured" },
    refusal: { unit: "text", range: "", description: "Why the job was not measured, otherwise empty" },
    blobs: counted("blobs", "Number of Gaussians"),
    width: pixels("Width of the image"),
    height: pixels("Height of the image"),
    tile_width: pixels("Width of a tile, as configured"),
    tile_height: pixels("Height of a tile, as configured"),
    list_tile_width: pixels("Width of the tiles that have lists; some pipelines join small tiles"),
    list_tile_height: pixels("Height of the tiles that have lists"),
    covariance_scale: { unit: "1", range: "above 0", description: "covarianceScale in the configuration" },
    entries: counted("intersections", "Tile–blob intersections after the last step"),
    listed_pairs: counted("pairs", "Pixel–blob pairs on the list of the pixel's tile"),
    supported_pairs: counted("pairs", "Pixel–blob pairs with the pixel inside the blob's 4σ ellipse"),
    milliseconds: time("Time per step, the median of the rounds"),
    milliseconds_min: time("Time per step in the fastest round"),
    milliseconds_max: time("Time per step in the slowest round"),
    steps_measured: counted("steps", "Steps in these rounds"),
    open_milliseconds: time("Time until the kernels were compiled and the buffers filled"),
    psnr: { unit: "dB", range: "NaN if refused", description: "PSNR of the render after the last step" },
    bytes: bytes("Memory of all buffers on the GPU"),
    ...Object.fromEntries(buffers.map((label) => [bufferBytes(label), bytes(`Memory of the buffer ${label}`)])),
  };
}

/** Returns what the columns of quality.arrow hold. */
export function qualityNotes(): ColumnNotes {
  const text = (description: string): ColumnNote => ({ unit: "text", range: "", description });
  return {
    part: text("Part of the measurement: ladder, without, sizes or seconds"),
    row: text("Name of the configuration"),
    image: text("File name of the image, without its extension"),
    date: text("When the run ended, as ISO 8601"),
    width: { unit: "px", range: "from 1", description: "Width of the image" },
    height: { unit: "px", range: "from 1", description: "Height of the image" },
    blobs: { unit: "blobs", range: "from 1", description: "Number of Gaussians" },
    steps: { unit: "steps", range: "from 0", description: "Steps that the run has taken" },
    seconds: { unit: "s", range: "from 0", description: "Training time" },
    psnr: { unit: "dB", range: "infinite for no error", description: "PSNR of the final render" },
    ssim: { unit: "1", range: "up to 1", description: "SSIM of the final render" },
    ms_ssim: { unit: "1", range: "up to 1; NaN of small images", description: "MS-SSIM of the final render" },
    bytes: { unit: "B", range: "from 0", description: "Size of the .splat2d file" },
    bits_per_pixel: {
      unit: "bit/px",
      range: "from 0",
      description: "Size of the .splat2d file per pixel of the image",
    },
    file_psnr: { unit: "dB", range: "NaN without a file", description: "PSNR of what the .splat2d file decodes to" },
    config: text("Configuration of the run, as JSON"),
  };
}
