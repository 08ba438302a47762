import { html } from "htl";
import type { OrientedBox } from "../../../engine/model/bounds.js";
import * as Plot from "../../figures/plot.js";
import { linkAll, linkThings } from "../../figures/pointing.js";
import { boxCorners } from "../../figures/shapes.js";
import { stepper } from "../../inputs/stepper.js";
import { type AxisTest, performedTests } from "./separation.js";
import { boundsOf, nameOfBlob, nameOfTile, relationOf, type TileMembers, tileText } from "./tileScene.js";

/** Colours of the blob's box and of the tile. */
const colors = ["var(--overflow)", "var(--current)"];

/** The lines of code that test each axis, in the order of `testedAxes`. */
export const axisLines = ["code:sat.axis0", "code:sat.axis1", "code:sat.axis2", "code:sat.axis3"];

/** The results of the test, by the relation of the blob to the tile. */
const verdicts = { in: "in the list", "false-positive": "in the list, a false positive", out: "not in the list" };

/** An input for `view` with the index of an axis as its value. */
export type SeparationInput = HTMLElement & {
  value: number;
  /** Shows the test of another blob or tile; returns itself. Stays at its axis while blob and tile are the same. */
  show(subject: TileMembers & { blob: number }, tests: AxisTest[], width: number): SeparationInput;
};

/** Returns a separating-axis test to be stepped through, up to the first axis that separates. */
export function separationInput(): SeparationInput {
  const title = html`<h4 class="axis-title">`;
  const steps = stepper("Axis of the separating-axis test", { count: 4, perSecond: 0.8 });
  const charts = html`<div class="learn-columns axis-charts">`;
  const node = html`<div>${title}${steps}${charts}</div>` as SeparationInput;
  let shown = "";
  node.show = (subject, tests, width) => {
    const { scene, tile, blob } = subject;
    const performed = performedTests(tests);
    const relation = relationOf(subject, blob);
    const names = [nameOfBlob(scene, blob), nameOfTile(scene, tile)];
    const [blobText, tileNode] = [blob, tileText(scene, tile)].map((text, k) =>
      linkThings(html`<span style="color: ${colors[k]}">${text}</span>`, names[k]),
    );
    title.replaceChildren("Blob ", blobText, " against tile ", tileNode, `: ${verdicts[relation]}`);
    const value = shown === names.join() ? undefined : 0;
    shown = names.join();
    const describe = (index: number) => describeAxis(performed, index, relation === "false-positive");
    steps.setSteps({ count: performed.length, describe, value });
    const draw = () => {
      charts.replaceChildren(
        projectionChart(
          [scene.boxes[blob], boundsOf(scene, tile)],
          [`blob ${blob}`, "tile"],
          names,
          performed[steps.value],
        ),
        overlapChart(tests, performed.length, steps.value, { blob, width }),
      );
    };
    steps.oninput = draw;
    draw();
    return node;
  };
  return Object.defineProperty(node, "value", { get: () => steps.value });
}

function describeAxis(performed: AxisTest[], index: number, isFalsePositive: boolean): string {
  const { along, distance, blobReach, tileReach, gap, separates } = performed[index];
  const sum = `${uvText(distance)} between the centres, ${uvText(blobReach)} + ${uvText(tileReach)} = ${uvText(blobReach + tileReach)} of reach`;
  const head = `Axis ${index + 1} of 4, along the ${along}: ${sum}.`;
  if (separates) {
    const rest = index < 3 ? " The remaining axes are not tested." : "";
    return `${head} A gap of ${uvText(gap)}: this axis separates them.${rest}`;
  }
  if (index < 3) return `${head} They overlap by ${uvText(-gap)}, so the next axis is tested.`;
  const exception = isFalsePositive ? ", although no pixel of the tile is in the ellipse" : "";
  return `${head} They overlap by ${uvText(-gap)}, as on all four. The boxes meet${exception}.`;
}

function gapText({ gap, separates }: AxisTest): string {
  return separates ? `gap ${uvText(gap)}` : `overlap ${uvText(-gap)}`;
}

function uvText(length: number): string {
  return length.toFixed(4);
}

type Point = [x: number, y: number];

/** Returns a chart of both boxes, not distorted, and next to them their projections on an axis. */
function projectionChart(boxes: OrientedBox[], labels: string[], names: string[], { axis, along }: AxisTest): Element {
  const corners = boxes.map(boxCorners);
  const middle = [0, 1].map((at) => 0.5 * extent(corners.flat().map((point) => point[at])).reduce((a, b) => a + b));
  const radius = Math.max(...corners.flat().map(([x, y]) => Math.hypot(x - middle[0], y - middle[1])));
  const { line, projections } = axisLayout(corners, axis, radius);
  // The same domain for all axes, so that nothing jumps from one to the next.
  const domain = (at: number) => [middle[at] - 1.45 * radius, middle[at] + 1.45 * radius];
  const isNarrow = ({ halfLength, halfWidth }: OrientedBox) => Math.min(halfLength, halfWidth) < 0.13 * radius;
  const chart = Plot.plot({
    width: 336,
    height: 336,
    margin: 0,
    ariaLabel: `Both boxes and their shadows on the axis along the ${along}`,
    x: { domain: domain(0), axis: null },
    y: { domain: domain(1).reverse(), axis: null },
    marks: [
      Plot.line(line, { stroke: "var(--theme-foreground-muted)", strokeWidth: 1 }),
      corners.map((of, at) =>
        Plot.line([...of, of[0]], { className: "axis-box", stroke: colors[at], fill: colors[at], fillOpacity: 0.18 }),
      ),
      Plot.link(projections.flat(), {
        x1: ({ corner }) => corner[0],
        y1: ({ corner }) => corner[1],
        x2: ({ end }) => end[0],
        y2: ({ end }) => end[1],
        stroke: "var(--theme-foreground-faint)",
        strokeDasharray: "3 3",
      }),
      projections.map((ends, at) => {
        const shadow = ends.map(({ end }) => end);
        return Plot.line(shadow, { stroke: colors[at], strokeWidth: 5 });
      }),
      Plot.text(boxes, {
        x: "centerX",
        // Above a tile that has no room for its name.
        y: (box, at) => box.centerY - (at === 1 && isNarrow(box) ? box.halfWidth + 0.1 * radius : 0),
        text: (_, at) => labels[at],
        fill: (_, at) => colors[at],
        stroke: "var(--theme-background)",
        fontWeight: 600,
      }),
    ],
  });
  return linkAll(chart, ".axis-box path", (at) => [names[at]]);
}

/** Returns the axis, drawn next to both boxes, and for each box the lines from its outermost corners to their projections. */
function axisLayout(corners: Point[][], [x, y]: Point, radius: number) {
  // Below the boxes, or to the right where the axis is vertical.
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

/** Returns a chart of the projections on the axes up to one, as bars over one scale. */
function overlapChart(
  tests: AxisTest[],
  performedCount: number,
  index: number,
  { blob, width }: { blob: number; width: number },
): Element {
  const rows = tests.map((test, row) => ({ ...test, row }));
  const shown = rows.slice(0, index + 1);
  const ends = tests.slice(0, performedCount).flatMap((test) => [...test.blob, ...test.tile]);
  const reach = Math.max(...ends.map(Math.abs));
  const names = [`box of blob ${blob}`, "tile"];
  const bars = shown.flatMap(({ row, blob, tile }) => [blob, tile].map((ends, at) => ({ row, ends, name: names[at] })));
  const head = (frameAnchor: "top-left" | "top-right", text: (test: (typeof rows)[number]) => string) =>
    Plot.text(rows, { fy: "row", frameAnchor, text, fillOpacity: ({ row }) => (row === index ? 1 : 0.6) });
  const chart = Plot.plot({
    width,
    height: 250,
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
      // The overlap of both shadows, or the gap between them.
      Plot.rectX(shown, {
        fy: "row",
        x1: (test) => Math.max(test.blob[0], test.tile[0]),
        x2: (test) => Math.min(test.blob[1], test.tile[1]),
        insetTop: 16,
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
      head("top-right", (test) => (test.row >= performedCount ? "not tested" : test.row > index ? "" : gapText(test))),
    ],
  });
  return linkAll(chart, ".axis-bars rect", (at) => [axisLines[at >> 1]]);
}
