import * as Plot from "./plot.js";
import { linkAll } from "./pointing.js";

/** A pixel of a tile: a colour in 0..1, or a number, drawn with its magnitude as opacity and its sign. */
export interface TilePixel {
  x: number;
  y: number;
  value: readonly number[] | number;
  title: string;
  /** The thing that it is linked to, such as "pixel:3,4". */
  thing: string;
  /** Whether it is framed. */
  isLooked?: boolean;
}

/** Returns a chart of the pixels of a tile, as wide as its container. */
export function tilePixels(label: string, pixels: readonly TilePixel[]): SVGElement {
  const strengthOf = ({ value }: TilePixel) => (typeof value === "number" ? Math.abs(value) : 0);
  const strongest = Math.max(...pixels.map(strengthOf)) || 1;
  const colorOf = ({ value }: TilePixel) => {
    if (typeof value === "number") return `var(--run-${value < 0 ? 2 : 1})`;
    return `rgb(${value.map((channel) => 255 * channel).join(" ")})`;
  };
  // Signs are shown only if some are negative.
  const hasSigns = pixels.some(({ value }) => typeof value === "number" && value < 0);
  const position = { x: "x", y: "y" };
  const columns = new Set(pixels.map(({ x }) => x)).size;
  const chart = Plot.plot({
    width: 30 * columns,
    height: (30 * pixels.length) / columns,
    margin: 1,
    padding: 0,
    style: { width: "100%", maxWidth: "none" },
    ariaLabel: label,
    x: { axis: null },
    y: { axis: null },
    marks: [
      Plot.cell(pixels, {
        ...position,
        className: "tile-pixels",
        title: "title",
        fill: colorOf,
        fillOpacity: (pixel) => (typeof pixel.value === "number" ? strengthOf(pixel) / strongest : 1),
        stroke: "var(--line)",
      }),
      Plot.text(pixels, {
        ...position,
        text: ({ value }) => (hasSigns && typeof value === "number" && value !== 0 ? (value < 0 ? "−" : "+") : ""),
        pointerEvents: "none",
        fillOpacity: 0.75,
      }),
      Plot.cell(pixels, {
        ...position,
        filter: "isLooked",
        pointerEvents: "none",
        stroke: "var(--mark-line)",
        strokeWidth: 3,
      }),
    ],
  });
  return linkAll(chart, ".tile-pixels rect", (at) => [pixels[at].thing]) as SVGElement;
}
