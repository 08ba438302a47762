import { completeConfig } from "../../../engine/config.js";
import * as Plot from "../../figures/plot.js";
import { bytesText, count } from "../../page/format.js";
import { runInWorker } from "../../worker/runInWorker.js";
import { type CacheFacts, cacheFacts, stateBytes, undoBytes } from "./cacheModel.js";

/** Sides of square images to choose from, in pixels. */
export const sides = [64, 256, 512, 1024, 2048, 4096];
/** WebGPU's default limit for a storage buffer, in bytes. */
const bindingLimit = 2 ** 27;
const lengths = [1, 4096];

/** Returns the memory for the large job of the original Slang sample, at its start. */
export async function originalFacts(): Promise<CacheFacts> {
  const size = { width: 512, height: 512 };
  return cacheFacts(await runInWorker("startingTiles", completeConfig({ blobs: 40_960 }), size), size);
}

/**
 * Returns a chart of the bytes of cached states by list length, with the bytes that the undo stores.
 * @param cases marked by dots; the last one is the reader's choice
 * @param side side of the image with the highlighted line
 */
export function cachingChart(cases: readonly (CacheFacts & { name: string })[], side: number, width: number): Element {
  const isWide = width > 520;
  const lines = sides.flatMap((each) =>
    lengths.map((length) => ({ each, length, bytes: stateBytes * each ** 2 * length })),
  );
  const line = { x: "length", y: "bytes", z: "each" };
  const chosen = (own: string, others: string) => (line: { each: number }) => (line.each === side ? own : others);
  const rule = (bytes: number, caption: string, end: "start" | "end", fill: string, width: number, dash: string) => {
    const [x, dx] = end === "start" ? [lengths[0], 6] : [lengths[1], -6];
    const text = { x, y: bytes, text: () => caption, textAnchor: end, dx, dy: 10, fill, fontWeight: 600 } as const;
    return [Plot.ruleY([bytes], { stroke: fill, strokeWidth: width, strokeDasharray: dash }), Plot.text([bytes], text)];
  };
  const name = {
    x: "meanLength",
    y: "cacheBytes",
    text: "name",
    fontWeight: 600,
    stroke: "var(--theme-background)",
    strokeWidth: 4,
    fill: "currentColor",
  };
  return Plot.plot({
    width,
    height: 260,
    marginLeft: 58,
    marginRight: isWide ? 100 : 54,
    marginTop: 22,
    marginBottom: 40,
    ariaLabel: "Bytes of cached states by the length of the tile lists, for images of several sizes",
    x: {
      type: "log",
      base: 2,
      domain: lengths,
      label: "blobs per pixel, n →",
      ticks: isWide ? 7 : [1, 8, 64, 512, 4096],
      tickFormat: count,
    },
    y: {
      type: "log",
      domain: [1e4, 2e12],
      label: "↑ bytes",
      ticks: [1e4, 1e6, 1e8, 1e10, 1e12],
      tickFormat: bytesText,
      grid: true,
    },
    marks: [
      Plot.line(lines, { ...line, stroke: chosen("var(--current)", "var(--earlier)"), clip: true }),
      Plot.text(
        lines,
        Plot.selectLast({
          ...line,
          text: ({ each }: { each: number }) => (isWide ? `${count(each)} × ${count(each)}` : `${count(each)}²`),
          textAnchor: "start",
          dx: 6,
          fill: chosen("var(--current)", "currentColor"),
        }),
      ),
      rule(undoBytes * side * side, "undoing", "end", "var(--group-correlation)", 2.25, "6 4"),
      rule(
        bindingLimit,
        `128 MiB${isWide ? ": one buffer of WebGPU, by default" : ""}`,
        "start",
        "currentColor",
        1,
        "2 3",
      ),
      Plot.dot(cases, {
        x: "meanLength",
        y: "cacheBytes",
        r: 5,
        fill: "var(--theme-background)",
        stroke: "currentColor",
        strokeWidth: 2,
      }),
      // The label of the reader's choice is on the other side, because the dot can be anywhere.
      Plot.text(cases.slice(0, -1), { ...name, textAnchor: "end", dx: -10, dy: -8 }),
      Plot.text(cases.slice(-1), { ...name, textAnchor: "start", dx: 10, dy: 10 }),
    ],
  });
}
