import { sentinel } from "../../../engine/cpu/shortList.js";
import { tileArea } from "../../../engine/cpu/uv.js";
import type { Picture } from "../../../engine/image.js";
import { toImage } from "../../../engine/image.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { element, setText, svg } from "../../element.js";
import { count, counted } from "../../format.js";
import { inFrames } from "../../lab/inFrames.js";
import type { Lab } from "../../lab/lab.js";
import { codePair } from "../codePair.js";
import { choice } from "../controls.js";
import { facts } from "../facts.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { stepper } from "../stepper.js";
import { placeOf } from "./axisView.js";
import { cutLists, drawTiles } from "./drawTiles.js";
import { type Area, type Attempt, attemptsOf, differenceOf } from "./overflow.js";
import { sceneSource } from "./sceneSource.js";
import { fullestTile, isSize, listOf, onTiles, type TileScene } from "./tileScene.js";
import { TileStage } from "./tileStage.js";

const caps = [8, 16, 32, 64, 128, 256];

/** Options of the overflow figure. */
export interface OverflowFigureOptions {
  /** The list's capacity, GAUSSIANS_PER_BLOCK. */
  cap?: number;
  tile?: [width: number, height: number];
}

/** How a tile whose list is too long for its memory is gathered in several passes, and what dropping would cost. */
export function overflowFigure(engine: BrowserEngine, lab: Lab, options: OverflowFigureOptions = {}): HTMLElement {
  let { cap = 16, tile: tileSize = [8, 8] } = options;
  let scene: TileScene | undefined;
  let ofRun: TileScene | undefined;
  let tile: number | undefined;
  let attempts: Attempt[] = [];
  let pictures: { scene: TileScene; cap: number; whole: Picture; cut: Picture } | undefined;
  let isDrawing = false;

  const capacity = choice("GAUSSIANS_PER_BLOCK", caps, cap, (next) => {
    cap = next;
    update();
  });
  const sizes = choice(
    "Tile, in pixels",
    [
      ["8x4", "8 × 4"],
      ["8x8", "8 × 8"],
      ["16x16", "16 × 16"],
    ],
    tileSize.join("x"),
    (text) => {
      tileSize = text.split("x").map(Number) as [number, number];
      tile = undefined;
      void lay();
    },
  );
  const choose = (next: number) => {
    tile = next;
    update();
  };
  const wholeStage = new TileStage("The picture with nothing dropped; the arrow keys choose a tile", choose);
  const cutStage = new TileStage("The picture with full lists cut; the arrow keys choose a tile", choose);
  const close = { whole: element("canvas"), cut: element("canvas"), difference: element("canvas") };
  for (const canvas of Object.values(close)) {
    canvas.setAttribute("role", "img");
    Object.assign(canvas, { width: tileSize[0], height: tileSize[1] });
  }
  const windows = svg("svg", { class: "windows", role: "img" });
  const slots = element("div", {
    class: "slots overflow-slots",
    tabindex: 0,
    role: "region",
    "aria-label": "The list’s slots",
  });
  const slotHead = element("p", { class: "slot-head overflow-head" });
  const told = facts(
    "blobs that meet the tile",
    "windows tried",
    "passes",
    "dropped by a full list",
    "mean error in the tile",
    "largest error",
  );
  const code = codePair(engine.shaders, {
    wgsl: { file: "tiled/shortList.wgsl", from: "fn shortListAfter(" },
    twin: { file: "cpu/shortList.ts", from: "export function* windows(" },
    marks: {
      "code:overflow.gather": {
        wgsl: "let filled = coarseRasterize(",
        twin: "coarseRasterize(list, bounds, tile, start, end);",
      },
      "code:overflow.fits": { wgsl: "return ShortList(bitonicSort(", twin: "start = end;" },
      "code:overflow.shorten": { wgsl: "window.end = start + smallerWindow(", twin: "length = smallerWindow(" },
    },
  });
  const guess = codePair(engine.shaders, {
    wgsl: { file: "tiled/shortList.wgsl", from: "fn smallerWindow(" },
    twin: { file: "cpu/shortList.ts", from: "export function smallerWindow(" },
    marks: { "code:overflow.guess": { wgsl: "let guess = u32(", twin: "return Math.max(gaussiansPerBlock" } },
  });
  const steps = stepper("Window of blob indices", { count: 1, show: () => {}, describe: () => "" }, 1);
  const picture = (title: string, canvas: HTMLCanvasElement) =>
    element("div", { class: "close-up" }, element("p", { class: "uv-title" }, title), canvas);
  const figure = learnFigure(
    {
      title: "A list that does not fit",
      alt: "The indices of all blobs as a line, with a tick for each that meets the tile, and below it the windows that the tile gathers from: those that overflow are given up and tried again shorter, the others are the passes. Beside it the picture with nothing dropped and with full lists cut.",
      note: "Choose a small capacity and step through the windows. Then compare the two pictures: the right one is what a program shows whose full lists take no more, with the same blobs.",
      isWide: true,
    },
    element("div", { class: "learn-controls" }, capacity.node, sizes.node),
  );
  const source = sceneSource(figure, lab, (taken) => {
    ofRun = taken.scene;
    void lay();
  });
  figure
    .querySelector(".learn-controls")!
    .after(
      source,
      told.node,
      element("div", { class: "overflow-steps" }, steps.node),
      element("div", { class: "windows-frame" }, windows),
      slotHead,
      slots,
      element(
        "div",
        { class: "overflow-pictures" },
        element("div", {}, element("p", { class: "uv-title" }, "Nothing dropped"), wholeStage.node),
        element("div", {}, element("p", { class: "uv-title" }, "Full lists cut"), cutStage.node),
        element(
          "div",
          { class: "close-ups" },
          picture("The tile", close.whole),
          picture("Cut", close.cut),
          picture("Difference", close.difference),
        ),
      ),
      code.node,
      guess.node,
    );

  const lay = async () => {
    if (!ofRun) return;
    const of = ofRun;
    const laid = await inFrames(onTiles(of, tileSize));
    if (of !== ofRun || !isSize(laid.tile, tileSize)) return;
    scene = laid;
    if (tile === undefined || tile >= scene.across * scene.down) tile = fullestTile(scene);
    update();
  };

  const update = () => {
    if (!scene || tile === undefined) return;
    attempts = attemptsOf(scene, tile, cap);
    const passes = attempts.filter(({ pass }) => pass !== undefined).length;
    const { length } = listOf(scene, tile);
    told.set({ "blobs that meet the tile": `${count(length)} of ${count(scene.blobs.length)}` });
    told.set({ "windows tried": count(attempts.length) });
    told.set({ passes: count(passes) });
    told.set({ "dropped by a full list": count(Math.max(length - cap, 0)) });
    const key = steps.index < attempts.length ? steps.index : 0;
    steps.reset(
      { count: attempts.length, show, describe: (index) => describe(attempts[index], attempts[index + 1], cap) },
      key,
    );
    void draw();
  };

  const show = (index: number) => {
    const { pass, slots: stored, blobCount } = attempts[index];
    drawWindows(windows, scene!, listOf(scene!, tile!), attempts, index);
    const spare = pass === undefined ? 0 : cap - blobCount;
    setText(
      slotHead,
      pass === undefined
        ? `Its ${cap} slots are full, and ${counted(blobCount - cap, "blob")} more ${blobCount - cap === 1 ? "was" : "were"} counted, not stored:`
        : `Its ${cap} slots, sorted: ${counted(blobCount, "blob")} and ${counted(spare, "sentinel")}, 0xFFFFFFFF:`,
    );
    slots.replaceChildren(
      ...Array.from(stored, (blob) =>
        blob === sentinel
          ? element("div", { class: "slot-cell sentinel", title: "Sentinel, 0xFFFFFFFF" }, element("b", {}, "FF…"))
          : standsFor(
              element(
                "div",
                { class: `slot-cell${pass === undefined ? " given-up" : " now"}` },
                element("b", {}, String(blob)),
              ),
              `blob:${blob}`,
            ),
      ),
    );
    code.activate("code:overflow.gather", pass === undefined ? "code:overflow.shorten" : "code:overflow.fits");
    if (pass === undefined) guess.activate("code:overflow.guess");
    else guess.activate();
  };

  const draw = async () => {
    if (isDrawing) return;
    isDrawing = true;
    while (scene && (pictures?.scene !== scene || pictures.cap !== cap)) {
      const [of, at] = [scene, cap];
      const whole: Picture = pictures?.scene === of ? pictures.whole : await inFrames(drawTiles(of));
      pictures = { scene: of, cap: at, whole, cut: await inFrames(drawTiles(of, cutLists(of.lists, at))) };
    }
    isDrawing = false;
    if (!pictures || tile === undefined) return;
    const { scene: of, whole, cut } = pictures;
    for (const [stage, drawn] of [
      [wholeStage, whole],
      [cutStage, cut],
    ] as const) {
      stage.show(of, toImage(drawn));
      stage.choose(tile);
    }
    const area = tileArea(tile, of.across, of.tile, of.size);
    const { mean, largest } = differenceOf(whole, cut, area);
    const all = differenceOf(whole, cut, { left: 0, top: 0, right: of.size.width, bottom: of.size.height });
    told.set({
      "mean error in the tile": largest < 0.5 ? "none" : `${mean.toFixed(1)} of 255`,
      "largest error": largest < 0.5 ? "none" : `${largest.toFixed(0)} of 255`,
    });
    const [wholeTile, cutTile] = [cropped(whole, area), cropped(cut, area)];
    paint(close.whole, wholeTile, `Tile ${placeOf(of, tile)} with nothing dropped`);
    paint(close.cut, cutTile, `Tile ${placeOf(of, tile)} with its list cut at ${cap}`);
    paint(
      close.difference,
      absolute(wholeTile, cutTile),
      `Their difference: ${mean.toFixed(1)} levels of 255 on average; over the whole picture ${all.mean.toFixed(1)}`,
    );
  };
  return figure;
}

function describe({ start, end, blobCount, pass }: Attempt, next: Attempt | undefined, cap: number): string {
  const head = `Blobs ${count(start)} to ${count(end - 1)}: ${count(blobCount)} of them ${blobCount === 1 ? "meets" : "meet"} the tile`;
  if (pass === undefined) {
    return `${head}, and ${cap} fit. The window is given up, and one of ${count(next!.end - next!.start)} indices is tried: as many as should fit by that count, less a tenth.`;
  }
  const rest = next
    ? "Its list is sorted and blended, and the next window begins behind it."
    : "Its list is sorted and blended, and no index is left.";
  return `${head}: they fit, as pass ${pass}. ${rest}`;
}

const rowHeight = 20;
/** Units of the drawing, which are pixels of the screen where there is room for them. */
const fewestUnits = 560;

/** All indices as a line with the tile's blobs on it, and the windows up to the present one below. */
function drawWindows(
  node: SVGSVGElement,
  scene: TileScene,
  list: Uint32Array,
  attempts: Attempt[],
  index: number,
): void {
  const n = scene.blobs.length;
  const lineWidth = Math.max(node.parentElement!.clientWidth, fewestUnits);
  const x = (i: number) => 8 + (i / n) * (lineWidth - 16);
  const ticks = Array.from(list, (blob) => `M${x(blob + 0.5)} 8V24`).join("");
  const top = 34;
  const height = top + rowHeight * attempts.length + 22;
  node.setAttribute("viewBox", `0 0 ${lineWidth} ${height}`);
  const rows = attempts.map(({ start, end, blobCount, pass }, row) => {
    const y = top + row * rowHeight;
    const state = row === index ? "now" : row < index ? "before" : "later";
    const kind = pass === undefined ? "given-up" : "kept";
    const text = pass === undefined ? `${blobCount}, too many` : `pass ${pass}: ${blobCount}`;
    const wide = x(end) - x(start);
    const isInside = wide > 110;
    const atEnd = x(end) + 100 < lineWidth;
    const [at, anchor] = isInside ? [x(start) + 6, "start"] : atEnd ? [x(end) + 5, "start"] : [x(start) - 5, "end"];
    const line = pass === undefined ? "code:overflow.shorten" : "code:overflow.fits";
    return svg(
      "g",
      { class: `window ${kind} ${state}` },
      standsFor(
        svg("rect", { x: x(start), y: y + 2, width: Math.max(wide, 2), height: rowHeight - 5, rx: 3 }),
        `pass:${pass ?? "none"}`,
        line,
      ),
      svg("text", { x: at, y: y + 14, "text-anchor": anchor }, text),
    );
  });
  node.replaceChildren(
    svg("path", { class: "index-line", d: `M8 16H${lineWidth - 8}` }),
    svg("path", { class: "index-ticks", d: ticks }),
    ...rows,
    svg("text", { x: 8, y: height - 4, class: "uv-tick" }, "blob 0"),
    svg(
      "text",
      { x: lineWidth / 2, y: height - 4, "text-anchor": "middle", class: "uv-tick" },
      "blob index: a tick for each blob that meets the tile",
    ),
    svg("text", { x: lineWidth - 8, y: height - 4, "text-anchor": "end", class: "uv-tick" }, `blob ${count(n - 1)}`),
  );
  node.setAttribute("aria-label", `${attempts.length} windows of blob indices, of which this is number ${index + 1}`);
}

/** The pixels from left and top up to, but without, right and bottom. */
function cropped({ width, data }: Picture, { left, top, right, bottom }: Area): Picture {
  const rows = new Float32Array(4 * (right - left) * (bottom - top));
  for (let y = top; y < bottom; y++) {
    const row = data.subarray(4 * (y * width + left), 4 * (y * width + right));
    rows.set(row, 4 * (y - top) * (right - left));
  }
  return { width: right - left, height: bottom - top, data: rows };
}

function paint(canvas: HTMLCanvasElement, picture: Picture, label: string): void {
  const { width, height, data } = toImage(picture);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const image = new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height);
  canvas.getContext("2d")!.putImageData(image, 0, 0);
  canvas.ariaLabel = label;
}

function absolute(a: Picture, b: Picture): Picture {
  return { ...a, data: a.data.map((value, at) => Math.abs(value - b.data[at])) };
}
