import { clamp } from "../../clamp.js";
import type { Background, TrainConfig } from "../../config.js";
import type { Size } from "../../image/image.js";
import { type Blob, decodeAll, highestAlpha, modelOf } from "../../model/blob.js";
import { parameterCount } from "../../model/blobs.js";
import { deviations } from "../../model/bounds.js";
import { meetsImage } from "../../model/support.js";
import { limitText, mustBe } from "../../quoted.js";
import { falloffDeviation, falloffStops, type GradientStop } from "./falloff.js";
import { type Contribution, minTolerance, orderContributions } from "./order.js";

/** A drawing, and its deviations from the render. */
interface SvgFile {
  text: string;
  /** Whole sentences. */
  limits: string[];
}

/** Most blobs of a drawing; a string cannot hold more. */
const maxBlobs = 2 ** 20;

/**
 * Returns blobs as an SVG drawing: each a circle with the radius of its support, filled with a radial gradient, and
 * transformed by the Cholesky factor of its covariance. A pixel is sampled at its corner, as in the engine.
 *
 * Alpha compositing uses source-over, with a gradient for each 8-bit colour. A sum is drawn channel by channel with one
 * gradient for each, added by mix-blend-mode plus-lighter. Negative contributions are added to the inverted image;
 * mix-blend-mode difference with white inverts it, and inverts it back. The order of the contributions hides clamping.
 *
 * The file's desc lists the deviations: the lines between stops, at most 0.0005 of a blob's strength from the Gaussian
 * in a sum and 0.0021 with alpha compositing; the viewer's rounding to 8 bits with each blob; the stop at a
 * transmittance of 1/255; α beyond 0.99; with alpha compositing colours below −1 or above 2, and with the original
 * background all outside 0..1. Compared with the engine's render of 600 to 2,400 blobs, Chromium reaches 43 to 44 dB
 * for a sum and 36 to 45 dB with alpha compositing.
 * @param size of the target, in pixels
 * @param parameters 9·N raw parameters, field-major
 * @param outputSize of the drawing, in pixels; with another aspect ratio than the target's it shows the middle
 * @throws Error of one sentence if there are too many blobs
 */
export function toSvg(config: TrainConfig, size: Size, parameters: Float32Array, outputSize: Size = size): SvgFile {
  const count = parameters.length / parameterCount;
  if (count > maxBlobs)
    throw new Error(mustBe("The number of blobs in an SVG", `at most ${limitText(maxBlobs)}`, count));
  const blobs = decodeAll(parameters, modelOf(config, size)).filter((blob) => meetsImage(blob));
  const drawing = config.blend === "sum" ? drawSum(blobs, config, size) : drawOver(blobs, config, size);
  // A viewer samples a pixel at its middle, the engine at its corner.
  const halfPixel = 0.5 / Math.max(outputSize.width / size.width, outputSize.height / size.height);
  const viewBox = [-halfPixel, -halfPixel, size.width, size.height].map(formatNumber).join(" ");
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${outputSize.width}" height="${outputSize.height}" viewBox="${viewBox}" preserveAspectRatio="xMidYMid slice">
<title>${blobs.length} Gaussian blobs</title>
<desc>${drawing.limits.join(" ")}</desc>
${drawing.body.join("\n")}
</svg>
`;
  return { text, limits: drawing.limits };
}

interface SvgDrawing {
  body: string[];
  limits: string[];
}

/** Segments of the falloff: a sum has three gradients in total, alpha compositing one for each colour. */
const segments = { sum: 32, over: 16 };

function drawOver(blobs: Blob[], { background }: TrainConfig, size: Size): SvgDrawing {
  const stops = falloffStops(segments.over);
  const colors = new Map<string, string>();
  const channels = blobs.flatMap(({ red, green, blue }) => [red, green, blue]);
  // Colours beyond 0..1 are compressed into it; a filter expands the result.
  const low = channels.reduce((least, value) => Math.min(least, value), 0);
  const high = channels.reduce((most, value) => Math.max(most, value), 1);
  const range = { low: Math.max(low, lowestColor), high: Math.min(high, highestColor) };
  const toUnitRange = (value: number) => (value - range.low) / (range.high - range.low);
  const saturated = blobs.filter(({ opacity }) => opacity > highestAlpha).length;
  // The front blob is drawn last.
  const circles = blobs.toReversed().map((blob) => {
    const color = hexColor([blob.red, blob.green, blob.blue].map(toUnitRange));
    if (!colors.has(color)) colors.set(color, `c${colors.size}`);
    const fill = `url(#${colors.get(color)})`;
    return `<circle r="${deviations}" fill="${fill}" fill-opacity="${formatNumber(blob.opacity)}" ${transformOf(blob, size)}/>`;
  });
  const isStretched = range.low < -minTolerance || range.high > 1 + minTolerance;
  const hasFilter = background === "original" || isStretched;
  const level = toUnitRange(background === "white" ? 1 : 0);
  const body = [
    "<defs>",
    ...[...colors].map(([color, id]) => gradient(id, color, stops)),
    ...(hasFilter ? [filter(background, range, size)] : []),
    "</defs>",
    hasFilter ? '<g filter="url(#f)">' : "<g>",
    ...(background === "original" ? [] : [backdrop(hexColor([level, level, level]), size)]),
    ...circles,
    "</g>",
  ];
  const limits = [
    ...commonLimits(stops),
    "Blobs behind a transmittance of 1/255 are drawn, while the engine stops there.",
    ...(saturated > 0 ? [`In ${blobCountText(saturated)} α may exceed 0.99, the limit of the engine.`] : []),
    ...(isStretched
      ? [
          `Colours reach from ${low.toFixed(2)} to ${high.toFixed(2)}; they are drawn within 0 to 1 and stretched by a filter.`,
        ]
      : []),
    ...(isStretched && background === "original"
      ? ["Blended colours outside 0 to 1 are clamped before the original background."]
      : []),
    ...(low < lowestColor || high > highestColor
      ? [`Colours below ${lowestColor} or above ${highestColor} are drawn as these.`]
      : []),
  ];
  return { body, limits };
}

/** Colours beyond these are clamped: stretching for them would coarsen all others. */
const lowestColor = -1;
const highestColor = 2;

/**
 * Returns a filter that expands colours from 0..1 to their range. The original background is C (1 − T) + T: the
 * group's colour times its coverage, plus white times the transmittance, over black, which makes it opaque.
 */
function filter(background: Background, { low, high }: { low: number; high: number }, { width, height }: Size): string {
  const [slope, intercept] = [high - low, low].map(formatNumber);
  const channels = ["R", "G", "B"].map(
    (name) => `<feFunc${name} type="linear" slope="${slope}" intercept="${intercept}"/>`,
  );
  const primitives =
    background === "original"
      ? [
          '<feColorMatrix in="SourceGraphic" values="0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 0" result="cover"/>',
          `<feComposite in="SourceGraphic" in2="cover" operator="arithmetic" k2="${slope}" k3="${intercept}"/>`,
          '<feComposite in2="cover" operator="in" result="colour"/>',
          '<feFlood flood-color="#fff"/>',
          '<feComposite in2="cover" operator="out"/>',
          '<feComposite in2="colour" operator="arithmetic" k2="1" k3="1" result="light"/>',
          '<feFlood flood-color="#000"/>',
          '<feComposite in="light" operator="over"/>',
        ]
      : [`<feComponentTransfer>${channels.join("")}</feComponentTransfer>`];
  const region = `filterUnits="userSpaceOnUse" x="-1" y="-1" width="${width + 2}" height="${height + 2}"`;
  return `<filter id="f" ${region} color-interpolation-filters="sRGB">${primitives.join("")}</filter>`;
}

function drawSum(blobs: Blob[], { background }: TrainConfig, size: Size): SvgDrawing {
  const stops = falloffStops(segments.sum);
  const start = background === "white" ? 1 : 0;
  const { passes, clipping } = orderContributions(blobs, size, start);
  const transforms = blobs.map((blob) => transformOf(blob, size));
  const useElement = ({ blob, channel, amount }: Contribution) =>
    `<use href="#${"rgb"[channel]}" fill-opacity="${formatNumber(Math.min(Math.abs(amount) + ditherLoss, 1))}" ${transforms[blob]}/>`;
  const invert = backdrop("#fff", size, ' class="invert"');
  const drawn = passes.map((pass) => pass.map(useElement));
  const body = [
    "<style>use{mix-blend-mode:plus-lighter}.invert{mix-blend-mode:difference}svg{isolation:isolate}</style>",
    "<defs>",
    ...["#f00", "#0f0", "#00f"].flatMap((color, channel) => [
      gradient(`${"rgb"[channel]}g`, color, stops),
      `<circle id="${"rgb"[channel]}" r="${deviations}" fill="url(#${"rgb"[channel]}g)"/>`,
    ]),
    "</defs>",
    backdrop(start === 1 ? "#fff" : "#000", size),
    ...drawn.flatMap((pass, passIndex) => {
      if (pass.length === 0) return [];
      return passIndex % 2 === 0 ? pass : [invert, ...pass, invert];
    }),
  ];
  const limits = [
    ...commonLimits(stops),
    "It needs a viewer with mix-blend-mode plus-lighter and difference, such as a browser.",
    ...(clipping > minTolerance ? [`Clamping changes a pixel by up to ${clipping.toFixed(3)}.`] : []),
  ];
  return { body, limits };
}

/**
 * Loss of a Gaussian by drawing in 8 bits, as a reduction of its peak. Rounding takes half of ln 2 steps: the tail's
 * values below ½ are lost, and those above are rounded up and down, −½ + Σ (k ln((k + ½)/(k − ½)) − 1). Chromium's
 * dithering takes about the same, since it cannot make a colour brighter than its coverage.
 */
const ditherLoss = Math.LN2 / 255;

function commonLimits(stops: GradientStop[]): string[] {
  return [
    `The Gaussian is drawn as ${stops.length - 1} straight lines, at most ${falloffDeviation(stops).toFixed(4)} of a blob's strength away from it.`,
    "A viewer rounds to 8 bits with each blob; the engine rounds once.",
  ];
}

function blobCountText(blobs: number): string {
  return blobs === 1 ? "1 blob" : `${blobs} blobs`;
}

function gradient(id: string, color: string, stops: GradientStop[]): string {
  const stopElements = stops.map(
    ({ offset, falloff }) =>
      `<stop offset="${formatNumber(offset)}" stop-color="${color}" stop-opacity="${formatNumber(falloff)}"/>`,
  );
  return `<radialGradient id="${id}">${stopElements.join("")}</radialGradient>`;
}

/** Returns a rectangle larger than the image, which may be shifted by half a pixel. */
function backdrop(color: string, { width, height }: Size, attributes = ""): string {
  return `<rect x="-1" y="-1" width="${width + 2}" height="${height + 2}" fill="${color}"${attributes}/>`;
}

/** Returns the transform from the unit circle to the 1σ ellipse: L of Σ = L Lᵀ, and the centre, in pixels of the target. */
function transformOf(blob: Blob, { width, height }: Size): string {
  const deviationX = width / blob.perDeviationX;
  const deviationY = height / blob.perDeviationY;
  const across = Math.sqrt(1 - blob.correlation * blob.correlation);
  const matrix = [
    deviationX,
    blob.correlation * deviationY,
    0,
    across * deviationY,
    blob.centerX * width,
    blob.centerY * height,
  ];
  return `transform="matrix(${matrix.map(formatNumber).join(" ")})"`;
}

/** Formats a number with four decimals, or two if it is large, in few characters. */
function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 2 : 4;
  return String(Number(value.toFixed(Math.abs(value) < 0.1 ? 5 : digits))).replace(/^(-?)0\./, "$1.");
}

/** Formats channels of 0..1 as #rrggbb. */
function hexColor(channels: number[]): string {
  const bytes = channels.map((value) => Math.round(255 * clamp(value, 0, 1)));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
