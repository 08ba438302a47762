import type { OrientedBox } from "../../../engine/model/bounds.js";
import * as Plot from "../../figures/plot.js";
import { linkAll, linkThings } from "../../figures/pointing.js";
import { boxCorners } from "../../figures/shapes.js";
import type { Stepper } from "../../inputs/stepper.js";
import { element } from "../../page/element.js";
import { tileText } from "./blobList.js";
import type { AxisTest } from "./separation.js";
import { boundsOf, nameOfBlob, nameOfTile, type TileMembers, type TileScene } from "./tileScene.js";

/** Of a blob's box, and of a tile. */
const colors = ["var(--overflow)", "var(--current)"];
const boxNames = ["blob", "tile"] as const;

/** The lines of code that test each axis, in the order of `testedAxes`. */
export const axisLines = ["code:sat.axis0", "code:sat.axis1", "code:sat.axis2", "code:sat.axis3"];

/** Which blob is held against which tile, and what comes of it. */
export function axisTitle(scene: TileScene, { tile, list, idle }: TileMembers, blob: number): HTMLElement {
  const verdict = !list.includes(blob) ? "not in the list" : `in the list${idle.has(blob) ? ", a false positive" : ""}`;
  const marked = (color: string, text: string, thing: string) =>
    linkThings(element("span", { style: `color: ${color}` }, text), thing);
  const blobNode = marked(colors[0], String(blob), nameOfBlob(scene, blob));
  const tileNode = marked(colors[1], tileText(scene, tile), nameOfTile(scene, tile));
  return element("h4", { class: "axis-title" }, "Blob ", blobNode, " against tile ", tileNode, `: ${verdict}`);
}

/** Lets a stepper go through the axes that were asked: from the first on, or from where it stands of the same pair. */
export function updateAxisStepper(
  steps: Stepper,
  { tile, idle }: TileMembers,
  blob: number,
  performed: AxisTest[],
): Stepper {
  const tileAndBlob = `${tile} ${blob}`;
  const value = steps.dataset.pair === tileAndBlob ? undefined : 0;
  steps.dataset.pair = tileAndBlob;
  steps.setSteps({
    count: performed.length,
    describe: (index) => describeAxis(performed, index, idle.has(blob)),
    value,
  });
  return steps;
}

function describeAxis(performed: AxisTest[], index: number, isIdle: boolean): string {
  const { along, distance, blobReach, tileReach, gap, separates } = performed[index];
  const sum = `${uvText(distance)} between the centres, ${uvText(blobReach)} + ${uvText(tileReach)} = ${uvText(blobReach + tileReach)} of reach`;
  const head = `Axis ${index + 1} of 4, along the ${along}: ${sum}.`;
  if (separates) {
    const rest = index < 3 ? " The remaining axes are not tested." : "";
    return `${head} A gap of ${uvText(gap)}: this axis separates them.${rest}`;
  }
  if (index < 3) return `${head} They overlap by ${uvText(-gap)}, so the next axis is tested.`;
  const verdict = isIdle ? "The boxes meet, although no pixel of the tile is in the ellipse." : "The boxes meet.";
  return `${head} They overlap by ${uvText(-gap)}, as on all four. ${verdict}`;
}

function gapText({ gap, separates }: AxisTest): string {
  return separates ? `gap ${uvText(gap)}` : `overlap ${uvText(-gap)}`;
}

function uvText(length: number): string {
  return length.toFixed(4);
}

type Point = [x: number, y: number];

/** Both boxes, where right angles are right angles, and their shadows on an axis beside them. */
export function projectionChart(
  scene: TileScene,
  tile: number,
  blob: number,
  performed: AxisTest[],
  step: number,
): Element {
  const index = Math.min(step, performed.length - 1);
  const testedBoxes = [scene.boxes[blob], boundsOf(scene, tile)];
  const corners = testedBoxes.map(boxCorners);
  const middle = [0, 1].map((at) => 0.5 * extent(corners.flat().map((point) => point[at])).reduce((a, b) => a + b));
  const radius = Math.max(...corners.flat().map(([x, y]) => Math.hypot(x - middle[0], y - middle[1])));
  const { line, projections } = axisLayout(corners, performed[index].axis, radius);
  // As much around the boxes for each axis, so that nothing jumps from one to the next.
  const domain = (at: number) => [middle[at] - 1.45 * radius, middle[at] + 1.45 * radius];
  const isNarrow = ({ halfLength, halfWidth }: OrientedBox) => Math.min(halfLength, halfWidth) < 0.13 * radius;
  const chart = Plot.plot({
    width: 336,
    height: 336,
    margin: 0,
    ariaLabel: `Both boxes and their shadows on the axis along the ${performed[index].along}`,
    x: { domain: domain(0), axis: null },
    y: { domain: domain(1).reverse(), axis: null },
    marks: [
      Plot.line(line, { stroke: "var(--theme-foreground-muted)", strokeWidth: 1 }),
      corners.map((of, at) =>
        Plot.line([...of, of[0]], {
          className: "axis-box",
          stroke: colors[at],
          fill: colors[at],
          fillOpacity: 0.18,
        }),
      ),
      Plot.link(projections.flat(), {
        x1: ({ corner }) => corner[0],
        y1: ({ corner }) => corner[1],
        x2: ({ end }) => end[0],
        y2: ({ end }) => end[1],
        stroke: "var(--theme-foreground-faint)",
        strokeDasharray: "3 3",
      }),
      projections.map((ends, at) =>
        Plot.line(
          ends.map(({ end }) => end),
          { stroke: colors[at], strokeWidth: 5 },
        ),
      ),
      Plot.text(testedBoxes, {
        x: "centerX",
        // Above a tile that has no room for its name.
        y: (box, at) => box.centerY - (at === 1 && isNarrow(box) ? box.halfWidth + 0.1 * radius : 0),
        text: (_, at) => (at === 0 ? `blob ${blob}` : "tile"),
        fill: (_, at) => colors[at],
        stroke: "var(--theme-background)",
        fontWeight: 600,
      }),
    ],
  });
  const names = [nameOfBlob(scene, blob), nameOfTile(scene, tile)];
  return linkAll(chart, ".axis-box path", (at) => [names[at]]);
}

/** The axis, drawn beside both boxes, and for each of them the lines that lead from its ends to those of its shadow. */
function axisLayout(corners: Point[][], [x, y]: Point, radius: number) {
  // On the lower side, or to the right where it stands upright.
  const sign = Math.abs(x) > 1e-9 ? Math.sign(x) : -1;
  const [normalX, normalY] = [-y * sign, x * sign];
  const all = corners.flat();
  const deepest = Math.max(...all.map((p) => p[0] * normalX + p[1] * normalY));
  const along = (p: Point) => p[0] * x + p[1] * y;
  const at = (t: number, depth: number): Point => {
    const d = deepest + depth * radius;
    return [t * x + d * normalX, t * y + d * normalY];
  };
  const projections = corners.map((of, index) => {
    const sorted = of.toSorted((a, b) => along(a) - along(b));
    return [sorted[0], sorted[3]].map((corner) => ({ corner, end: at(along(corner), 0.1 + 0.08 * index) }));
  });
  const [low, high] = extent(all.map(along));
  const line = [at(low - 0.14 * radius, 0.24), at(high + 0.14 * radius, 0.24)];
  return { line, projections };
}

function extent(values: number[]): [low: number, high: number] {
  return [Math.min(...values), Math.max(...values)];
}

/** The shadows on the axes that were asked so far, as bars over one scale. */
export function overlapChart(
  tests: AxisTest[],
  performed: AxisTest[],
  step: number,
  { blob, width }: { blob: number; width: number },
): Element {
  const index = Math.min(step, performed.length - 1);
  const rows = tests.map((test, row) => ({ ...test, row }));
  const shown = rows.slice(0, index + 1);
  const reach = Math.max(...performed.flatMap((test) => [...test.blob, ...test.tile].map(Math.abs)));
  const names = [`box of blob ${blob}`, "tile"];
  const bars = shown.flatMap((test) => boxNames.map((box, at) => ({ ...test, ends: test[box], name: names[at] })));
  const head = (frameAnchor: "top-left" | "top-right", text: (test: (typeof rows)[number]) => string) =>
    Plot.text(rows, { fy: "row", frameAnchor, text, fillOpacity: ({ row }) => (row === index ? 1 : 0.6) });
  const chart = Plot.plot({
    width,
    height: 318,
    marginLeft: 8,
    marginRight: 8,
    marginTop: 0,
    marginBottom: 38,
    ariaLabel: shown.map((test) => `along the ${test.along} ${gapText(test)}`).join("; "),
    x: { domain: [-reach, reach], label: "distance from the tile’s centre, in UV", ticks: 5 },
    y: { domain: ["", ...names], axis: null, padding: 0.25 },
    fy: { domain: [0, 1, 2, 3], axis: null },
    color: { domain: names, range: colors, legend: true },
    marks: [
      // Where both shadows lie, or what is between them.
      Plot.rectX(shown, {
        fy: "row",
        x1: (test) => Math.max(test.blob[0], test.tile[0]),
        x2: (test) => Math.min(test.blob[1], test.tile[1]),
        insetTop: 18,
        fill: "currentColor",
        fillOpacity: ({ separates }) => (separates ? 0 : 0.09),
        stroke: ({ separates }) => (separates ? "var(--wrong)" : "none"),
        strokeDasharray: "3 2",
      }),
      Plot.barX(bars, {
        className: "axis-bars",
        fy: "row",
        y: "name",
        x1: (bar) => bar.ends[0],
        x2: (bar) => bar.ends[1],
        fill: "name",
        fillOpacity: (bar) => (bar.row === index ? 1 : 0.45),
      }),
      head("top-left", ({ row, along }) => `${row + 1}  ${along}`),
      head("top-right", (test) =>
        test.row >= performed.length ? "not tested" : test.row > index ? "" : gapText(test),
      ),
    ],
  });
  return linkAll(chart, ".axis-bars rect", (at) => [axisLines[at >> 1]]);
}
