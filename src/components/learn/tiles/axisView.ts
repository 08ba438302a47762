import type { OrientedBox } from "../../../engine/cpu/bounds.js";
import type { ShaderLibrary } from "../../../engine/gpu/shaders.js";
import { element, svg } from "../../element.js";
import { type CodePair, codePair } from "../codePair.js";
import { standsFor } from "../marks.js";
import { type Stepper, stepper } from "../stepper.js";
import { type AxisTest, askedTests, axisTests, cornersOf } from "./separation.js";
import { boundsOf, contributes, listOf, nameOfBlob, nameOfTile, type TileScene } from "./tileScene.js";
import { pathOfBox } from "./tileStage.js";

/** The separating-axis test of one blob's box against one tile, an axis at a time. */
export class AxisView {
  readonly node: HTMLElement;
  readonly #title = element("h4", { class: "axis-title" }, "One blob against one tile");
  readonly #diagram = svg("svg", { role: "img" });
  readonly #bars = svg("svg", { viewBox: `0 0 ${barsWidth} ${barsHeight}`, role: "img" });
  readonly #stepper: Stepper;
  readonly #code: CodePair[] = [];
  #shown = "";

  /** @param hasCode whether the code of the test stands below it */
  constructor(shaders: ShaderLibrary, hasCode: boolean) {
    if (hasCode) this.#code = codeOf(shaders);
    this.#stepper = stepper("Axis of the separating-axis test", nothing, 0.8);
    this.node = element(
      "div",
      { class: "axis-view" },
      this.#title,
      this.#stepper.node,
      element(
        "div",
        { class: "learn-columns axis-columns" },
        element("div", { class: "axis-diagram" }, this.#diagram),
        element("div", { class: "axis-bars" }, this.#bars),
      ),
      ...this.#code.map(({ node }) => node),
    );
  }

  /** Shows another pair of a blob and a tile, from its first axis on; the same pair anew stays at its axis. */
  show(scene: TileScene, tile: number, blob: number): void {
    const tests = axisTests(scene.boxes[blob], boundsOf(scene, tile));
    const asked = askedTests(tests);
    const isListed = listOf(scene, tile).includes(blob);
    const isIdle = isListed && !contributes(scene, blob, tile);
    this.#title.replaceChildren(
      "Blob ",
      standsFor(element("span", { class: "axis-blob" }, String(blob)), nameOfBlob(scene, blob)),
      " against tile ",
      standsFor(element("span", { class: "axis-tile" }, placeOf(scene, tile)), nameOfTile(scene, tile)),
      isListed ? (isIdle ? ": in the list, and for nothing" : ": in the list") : ": not in the list",
    );
    const pair = `${tile} ${blob}`;
    const index = pair === this.#shown ? Math.min(this.#stepper.index, asked.length - 1) : 0;
    this.#shown = pair;
    this.#stepper.reset(
      {
        count: asked.length,
        show: (index) => {
          this.#draw(scene, tile, blob, tests, asked, index);
          for (const code of this.#code) code.activate(`code:sat.axis${index}`, "code:sat.compare");
        },
        describe: (index) => describe(asked, index, isIdle),
      },
      index,
    );
  }

  #draw(scene: TileScene, tile: number, blob: number, tests: AxisTest[], asked: AxisTest[], index: number): void {
    const layouts = asked.map((test) => layoutOf(scene, tile, blob, test));
    this.#diagram.setAttribute("viewBox", viewBoxOf(layouts));
    this.#diagram.replaceChildren(...diagramOf(scene, tile, blob, layouts[index]));
    this.#diagram.setAttribute(
      "aria-label",
      `Both boxes and their shadows on the axis along the ${asked[index].along}`,
    );
    this.#bars.replaceChildren(...barsOf(tests, asked.length, index, blob));
    this.#bars.setAttribute(
      "aria-label",
      asked
        .slice(0, index + 1)
        .map(wordsOf)
        .join("; "),
    );
  }
}

/** The test, and what it does on each axis. */
function codeOf(shaders: ShaderLibrary): CodePair[] {
  return [
    codePair(shaders, {
      wgsl: { file: "shared/bounds.wgsl", from: "fn intersects(" },
      twin: { file: "cpu/bounds.ts", from: "export function intersects(" },
      marks: {
        "code:sat.axis0": { wgsl: "return !(separates(a.axis", twin: "separates(a.axisX, a.axisY, a, b)" },
        "code:sat.axis1": { wgsl: "return !(separates(a.axis", twin: "separates(-a.axisY, a.axisX, a, b)" },
        "code:sat.axis2": { wgsl: "|| separates(b.axis", twin: "separates(b.axisX, b.axisY, a, b)" },
        "code:sat.axis3": { wgsl: "|| separates(b.axis", twin: "separates(-b.axisY, b.axisX, a, b)" },
      },
    }),
    codePair(shaders, {
      wgsl: { file: "shared/bounds.wgsl", from: "fn separates(" },
      twin: { file: "cpu/bounds.ts", from: "export function separates(" },
      marks: { "code:sat.compare": { wgsl: "return abs(dot(", twin: "return distance > reach(" } },
    }),
  ];
}

const nothing = { count: 1, show: () => {}, describe: () => "Choose a tile, and a blob." };

/** Column and row of a tile. */
export function placeOf({ across }: TileScene, tile: number): string {
  return `${tile % across}, ${Math.floor(tile / across)}`;
}

function describe(asked: AxisTest[], index: number, isIdle: boolean): string {
  const test = asked[index];
  const { along, distance, blobReach, tileReach } = test;
  const sum = `${uv(distance)} between the centres, ${uv(blobReach)} + ${uv(tileReach)} = ${uv(blobReach + tileReach)} of reach`;
  const head = `Axis ${index + 1} of 4, along the ${along}: ${sum}.`;
  if (test.separates) {
    const rest = index < 3 ? " The axes after it are not asked." : "";
    return `${head} A gap of ${uv(test.gap)}: this axis separates them.${rest}`;
  }
  if (index < 3) return `${head} They overlap by ${uv(-test.gap)}, so the next axis is asked.`;
  const verdict = isIdle ? "The boxes meet, though no pixel of the tile lies in the ellipse." : "The boxes meet.";
  return `${head} They overlap by ${uv(-test.gap)}, as on all four. ${verdict}`;
}

function wordsOf({ along, gap, separates }: AxisTest): string {
  return `along the ${along} ${separates ? `a gap of ${uv(gap)}` : `an overlap of ${uv(-gap)}`}`;
}

/** A length in UV. */
function uv(length: number): string {
  return length.toFixed(4);
}

type Point = [x: number, y: number];

/** Where the two boxes and their shadows on an axis beside them are drawn: UV, made larger, with their middle at 0, 0. */
interface Layout {
  boxes: OrientedBox[];
  corners: Point[][];
  /** Ends of each box's shadow, and of the axis. */
  shadows: [Point, Point][];
  line: [Point, Point];
  /** From each box's extreme corners to the ends of its shadow. */
  drops: [Point, Point][];
}

function layoutOf(scene: TileScene, tile: number, blob: number, { axis: [x, y] }: AxisTest): Layout {
  const uvBoxes = [scene.boxes[blob], boundsOf(scene, tile)];
  const all = uvBoxes.flatMap(cornersOf);
  const middle = [0, 1].map((i) => 0.5 * (Math.min(...all.map((p) => p[i])) + Math.max(...all.map((p) => p[i]))));
  const scale = 100 / Math.max(...all.map((p) => Math.hypot(p[0] - middle[0], p[1] - middle[1])));
  const boxes = uvBoxes.map((box) => ({
    ...box,
    centerX: scale * (box.centerX - middle[0]),
    centerY: scale * (box.centerY - middle[1]),
    halfLength: scale * box.halfLength,
    halfWidth: scale * box.halfWidth,
  }));
  const corners = boxes.map(cornersOf);
  // The axis is drawn on the lower side, or to the right where it stands upright.
  const sign = Math.abs(x) > 1e-9 ? Math.sign(x) : -1;
  const normal = [-y * sign, x * sign];
  const deepest = Math.max(...corners.flat().map((p) => p[0] * normal[0] + p[1] * normal[1]));
  const onAxis = (t: number, depth: number): Point => [
    t * x + (deepest + depth) * normal[0],
    t * y + (deepest + depth) * normal[1],
  ];
  const extremes = corners.map((of) => {
    const ordered = of.map((p) => ({ p, t: p[0] * x + p[1] * y })).sort((a, b) => a.t - b.t);
    return [ordered[0], ordered[ordered.length - 1]];
  });
  const ends = extremes.flat().map(({ t }) => t);
  return {
    boxes,
    corners,
    shadows: extremes.map(([low, high], index) => [onAxis(low.t, 10 + 8 * index), onAxis(high.t, 10 + 8 * index)]),
    line: [onAxis(Math.min(...ends) - 14, 24), onAxis(Math.max(...ends) + 14, 24)],
    drops: extremes.flatMap((both, index) => both.map(({ p, t }): [Point, Point] => [p, onAxis(t, 10 + 8 * index)])),
  };
}

/** A square that holds all of these drawings, so that nothing jumps from one axis to the next. */
function viewBoxOf(layouts: Layout[]): string {
  const all = layouts.flatMap(({ corners, line }) => [...corners.flat(), ...line]);
  const [low, high] = [Math.min, Math.max].map((end) => [0, 1].map((i) => end(...all.map((p) => p[i]))));
  const side = Math.max(high[0] - low[0], high[1] - low[1]) + 8;
  return `${0.5 * (low[0] + high[0] - side)} ${0.5 * (low[1] + high[1] - side)} ${side} ${side}`;
}

/** The two boxes, where right angles are right angles, and their shadows. */
function diagramOf(
  scene: TileScene,
  tile: number,
  blob: number,
  { boxes, shadows, line, drops }: Layout,
): SVGElement[] {
  const names = ["blob", "tile"];
  const path = ([from, to]: [Point, Point]) => `M${from.join(" ")}L${to.join(" ")}`;
  return [
    svg("path", { class: "axis-line", d: path(line) }),
    ...boxes.map((box, index) =>
      standsFor(
        svg("path", { class: `axis-${names[index]}`, d: pathOfBox(box) }),
        index === 0 ? nameOfBlob(scene, blob) : nameOfTile(scene, tile),
      ),
    ),
    ...drops.map((drop) => svg("path", { class: "axis-drop", d: path(drop) })),
    ...shadows.map((shadow, index) => svg("path", { class: `axis-shadow axis-${names[index]}`, d: path(shadow) })),
    ...boxes.map(({ centerX, centerY }, index) =>
      svg(
        "text",
        { x: centerX, y: centerY, class: `axis-label axis-${names[index]}`, "text-anchor": "middle", dy: "0.32em" },
        index === 0 ? `blob ${blob}` : "tile",
      ),
    ),
  ];
}

const barsWidth = 440;
const rowHeight = 66;
const barsHeight = 4 * rowHeight + 22;

/** The shadows on all four axes as bars over one scale. */
function barsOf(tests: AxisTest[], asked: number, index: number, blob: number): SVGElement[] {
  const reach = Math.max(...tests.slice(0, asked).flatMap((test) => [...test.blob, ...test.tile].map(Math.abs)));
  const x = (t: number) => barsWidth / 2 + (t / reach) * (barsWidth / 2 - 6);
  const rows = tests.flatMap((test, row) => {
    const top = row * rowHeight;
    const state = row === index ? "now" : row < index ? "before" : "later";
    const verdict =
      row >= asked
        ? "not asked"
        : row > index
          ? ""
          : test.separates
            ? `gap ${uv(test.gap)}`
            : `overlap ${uv(-test.gap)}`;
    const head = [
      standsFor(
        svg("text", { x: 6, y: top + 15, class: `axis-row ${state}` }, `${row + 1}  ${test.along}`),
        `code:sat.axis${row}`,
      ),
      svg("text", { x: barsWidth - 6, y: top + 15, class: `axis-row ${state}`, "text-anchor": "end" }, verdict),
      svg("path", { class: "axis-rule", d: `M0 ${top + rowHeight - 6}H${barsWidth}` }),
    ];
    if (row > index) return head;
    const bar = ([low, high]: [number, number], name: string, at: number) =>
      standsFor(
        svg("rect", {
          class: `axis-bar axis-${name} ${state}`,
          x: x(low),
          y: top + at,
          width: Math.max(x(high) - x(low), 1.5),
          height: 11,
          rx: 2,
        }),
        `code:sat.axis${row}`,
      );
    const [between, until] = [Math.max(test.blob[0], test.tile[0]), Math.min(test.blob[1], test.tile[1])].toSorted(
      (a, b) => a - b,
    );
    const meeting = svg("rect", {
      class: `axis-meeting ${test.separates ? "gap" : "overlap"}`,
      x: x(between),
      y: top + 21,
      width: Math.max(x(until) - x(between), 1.5),
      height: 33,
    });
    return [...head, meeting, bar(test.blob, "blob", 24), bar(test.tile, "tile", 40)];
  });
  const key = (at: number, name: string, text: string) => [
    svg("rect", { class: `axis-bar axis-${name} now`, x: at, y: barsHeight - 15, width: 14, height: 10, rx: 2 }),
    svg("text", { x: at + 20, y: barsHeight - 6 }, text),
  ];
  return [...rows, ...key(6, "blob", `box of blob ${blob}`), ...key(150, "tile", "tile"), scaleText(reach)];
}

function scaleText(reach: number): SVGElement {
  const text = `width of the chart: ${uv(2 * reach)} in UV`;
  return svg("text", { x: barsWidth - 6, y: barsHeight - 6, "text-anchor": "end", class: "axis-scale" }, text);
}
