import { backstage } from "../backstage.js";
import { colorRamp, rampLegend } from "../colorRamp.js";
import { element } from "../element.js";
import { count, counted } from "../format.js";
import { paintLive } from "../painter.js";
import { listLimit } from "../runs/listLimit.js";
import { roundedUp } from "../runs/runLines.js";
import { inFrames, nextFrame } from "./inFrames.js";
import type { Lab } from "./lab.js";
import type { LabRun, View } from "./labRun.js";
import { decodeScene, type Scene } from "./scene.js";
import { drawLayers, drawSelection, ellipseStride, type Layers } from "./tileLayers.js";
import { fullestTile, tileList } from "./tileList.js";
import { TilePanel } from "./tilePanel.js";

/** The tiles by the length of their short-lists, the blobs' ellipses above them, and one tile's list beside them. */
export function tileOverlay(lab: Lab): HTMLElement {
  const layers: Layers = { picture: true, tiles: true, ellipses: true };
  const ramp = colorRamp("viridis");
  const legend = rampLegend(ramp, "blobs in a tile's short-list");
  const overflow = element("p", { class: "overlay-note" });
  const stride = element("p", { class: "overlay-note" });
  const base = element("canvas", { "aria-hidden": "true" });
  const top = element("canvas", {
    tabindex: 0,
    role: "application",
    "aria-label": "Tiles of the picture; the arrow keys choose one, whose short-list stands beside it",
  });
  const stage = element("div", { class: "overlay-stage" }, base, top);
  const panel = new TilePanel();
  let scene: Scene | undefined;
  let chosen: number | undefined;
  let isDrawing = false;
  /** The view that is being drawn or was drawn last. */
  let drawn: View | undefined;

  const toggle = (layer: keyof Layers, text: string) => {
    const onchange = () => {
      layers[layer] = box.checked;
      drawn = undefined;
      repaint();
    };
    const box = element("input", { type: "checkbox", checked: layers[layer], onchange });
    return element("label", {}, box, text);
  };
  const node = element(
    "figure",
    { class: "overlay" },
    element(
      "fieldset",
      { class: "switch" },
      element("legend", {}, "show"),
      toggle("picture", "picture"),
      toggle("tiles", "tiles"),
      toggle("ellipses", "1σ ellipses"),
    ),
    element("div", { class: "overlay-columns" }, element("div", {}, stage, legend.node, overflow, stride), panel.node),
  );

  let isSelecting = false;
  let isSelectionStale = false;
  const showSelection = async () => {
    isSelectionStale = true;
    // A selection under way is shown first, or a pointer that moves would never show one.
    if (isSelecting) return;
    isSelecting = true;
    try {
      while (isSelectionStale && scene) {
        isSelectionStale = false;
        await select(scene);
      }
    } finally {
      isSelecting = false;
    }
  };
  const select = async (shown: Scene) => {
    // Another picture may have fewer tiles.
    if (chosen !== undefined && chosen >= shown.view.tiles.lengths.length) chosen = undefined;
    const list = await inFrames(tileList(shown, chosen ?? fullestTile(shown)));
    const { width, height } = top;
    const canvas = element("canvas", { width, height });
    await inFrames(drawSelection(canvas.getContext("2d")!, shown, list));
    await nextFrame();
    const context = top.getContext("2d")!;
    context.clearRect(0, 0, width, height);
    context.drawImage(canvas, 0, 0);
    panel.show(shown, list);
  };

  const draw = async (run: LabRun, view: View) => {
    const [picture, next] = await Promise.all([backstage("toImage", view.picture), inFrames(decodeScene(run, view))]);
    const { image } = run.target;
    const width = Math.round(stage.clientWidth * Math.min(devicePixelRatio, 2));
    const height = Math.round((width * image.height) / image.width);
    const canvas = element("canvas", { width, height });
    const longest = view.tiles.lengths[fullestTile(next)];
    const most = roundedUp(commonlyLongest(next));
    await inFrames(drawLayers(canvas.getContext("2d")!, next, picture, layers, ramp, most));
    await nextFrame();
    scene = next;
    for (const target of [base, top]) {
      if (target.width !== width || target.height !== height) Object.assign(target, { width, height });
    }
    stage.style.aspectRatio = `${image.width} / ${image.height}`;
    const context = base.getContext("2d")!;
    context.clearRect(0, 0, width, height);
    context.drawImage(canvas, 0, 0);
    legend.setTicks(["0", String(most / 2), `${count(most)}${longest > most ? " and more" : ""}`]);
    overflow.textContent = describeOverflow(scene);
    stride.textContent =
      layers.ellipses && ellipseStride(scene) > 1 ? `Of ${ellipseStride(scene)} blobs, one ellipse is drawn.` : "";
    await nextFrame();
    await showSelection();
  };

  const repaint = paintLive(node, lab, () => {
    const run = lab.run;
    if (!run?.view || run.view === drawn || stage.clientWidth === 0) return;
    // A drawing under way is finished first, or a fast run would never show one.
    if (isDrawing) return;
    drawn = run.view;
    isDrawing = true;
    void draw(run, run.view).finally(() => {
      isDrawing = false;
      if (lab.run?.view !== drawn) repaint();
    });
  });
  new ResizeObserver(() => {
    drawn = undefined;
    repaint();
  }).observe(stage);

  const choose = (tile: number) => {
    if (tile === chosen) return;
    chosen = tile;
    void showSelection();
  };
  top.addEventListener("pointermove", ({ offsetX, offsetY }) => {
    if (!scene) return;
    const { target, view } = scene;
    const scale = target.width / top.clientWidth;
    const column = Math.floor((offsetX * scale) / view.tiles.size[0]);
    const row = Math.floor((offsetY * scale) / view.tiles.size[1]);
    const { across, down } = view.tiles;
    if (column >= 0 && row >= 0 && column < across && row < down) choose(row * across + column);
  });
  top.addEventListener("keydown", (event) => {
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const move = moves[event.key];
    if (!move || !scene) return;
    event.preventDefault();
    const { across, down } = scene.view.tiles;
    const from = chosen ?? fullestTile(scene);
    const column = Math.min(Math.max((from % across) + move[0], 0), across - 1);
    const row = Math.min(Math.max(Math.floor(from / across) + move[1], 0), down - 1);
    choose(row * across + column);
  });
  return node;
}

/** The length that one tile in fifty exceeds: the colours are for the others. */
function commonlyLongest({ view }: Scene): number {
  const lengths = view.tiles.lengths.toSorted();
  return lengths[Math.floor(0.98 * (lengths.length - 1))];
}

function describeOverflow({ view, config }: Scene): string {
  const overflowing = view.tiles.passes.filter((passes) => passes > 1).length;
  const cap = listLimit(config);
  if (cap === undefined) return "Each tile takes its list in one pass, however long it is.";
  const limit = `GAUSSIANS_PER_BLOCK, ${count(cap)}`;
  if (overflowing === 0) return `No list is longer than ${limit}: every tile takes one pass.`;
  const verb = overflowing === 1 ? "has a list" : "have lists";
  return `${counted(overflowing, "tile")} ${verb} longer than ${limit}: a white stroke for each further pass.`;
}
