import { type Image, toImage } from "../../../engine/image.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { element, setText, svg } from "../../element.js";
import { count, counted, percent } from "../../format.js";
import { inFrames } from "../../lab/inFrames.js";
import type { Lab } from "../../lab/lab.js";
import { whenSeen } from "../../seen.js";
import { choice } from "../controls.js";
import { facts } from "../facts.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { AxisView, placeOf } from "./axisView.js";
import { drawTiles } from "./drawTiles.js";
import { gatherOnGpu } from "./gather.js";
import { HandEditor } from "./handEditor.js";
import { sceneSource } from "./sceneSource.js";
import {
  contributes,
  fullestTile,
  isSize,
  listCosts,
  listOf,
  membersOf,
  nameOfBlob,
  onTiles,
  type TileMembers,
  type TileScene,
} from "./tileScene.js";
import { pathOfBox, pathOfEllipse, TileStage } from "./tileStage.js";

const tileSizes = [
  [4, 4],
  [8, 4],
  [8, 8],
  [16, 16],
  [32, 32],
].map(([width, height]) => [`${width}x${height}`, `${width} × ${height}`] as const);

/** Options of the tile figure. */
export interface TileFigureOptions {
  /** The scene that it begins with: the lab's run, or nine blobs that the reader moves. */
  scene?: "run" | "hand";
  tile?: [width: number, height: number];
  /** Whether the code of the separating-axis test stands below it. */
  hasCode?: boolean;
}

/** The tile grid over a scene, a tile's short-list, and the test that decides who is in it. */
export function tileFigure(engine: BrowserEngine, lab: Lab, options: TileFigureOptions = {}): HTMLElement {
  let { scene: kind = "run" } = options;
  let tileSize = options.tile ?? [8, 8];
  let ofRun: { scene: TileScene; picture: Image } | undefined;
  let shown: { scene: TileScene; picture: Image } | undefined;
  /** The chosen tile and blob of each scene, and the size of tiles among which the tile was chosen. */
  const chosen: Record<string, { tile?: number; size?: [number, number]; blob?: number }> = { run: {}, hand: {} };
  let hovered: number | undefined;
  let isDue = false;
  let countedScene: TileScene | undefined;
  let isCounting = false;
  let request = 0;
  let isSeen = false;

  const stage = new TileStage(
    "Tiles of the picture; the arrow keys choose one, whose short-list stands beside it",
    (tile) => {
      hovered = undefined;
      chosenOf(shown!.scene).tile = tile;
      showTile();
    },
    (tile) => {
      if (tile === hovered) return;
      hovered = tile;
      if (tile === undefined) showTile();
      else showSoon();
    },
  );
  const list = element("div", {
    class: "tile-list",
    tabindex: 0,
    role: "region",
    "aria-label": "The tile’s short-list",
  });
  const told = facts("in the list", "of them for nothing", "axis-aligned boxes", "kernel on your GPU");
  const costs = element("p", { class: "tile-costs" });
  const axes = new AxisView(engine.shaders, options.hasCode ?? true);
  const outlines = choice(
    "Outlines",
    [
      ["boxes", "4σ boxes"],
      ["ellipses", "4σ ellipses"],
      ["both", "both"],
    ],
    "boxes",
    () => showTile(),
  );
  const hand = new HandEditor(stage, (scene, blob) => {
    if (kind !== "hand") return;
    if (blob !== undefined) {
      chosen.hand.blob = blob;
      // While a blob is moved, the chosen tile is the one to watch.
      hovered = undefined;
    }
    showScene({ scene, picture: toImage(done(drawTiles(scene))) });
  });
  const kinds = choice<typeof kind>(
    "Scene",
    [
      ["run", "the run’s blobs"],
      ["hand", "nine blobs to move"],
    ],
    kind,
    (next) => {
      kind = next;
      changeScene();
    },
  );
  const sizes = choice("Tile, in pixels", tileSizes, tileSize.join("x"), (text) => {
    tileSize = text.split("x").map(Number) as [number, number];
    changeScene();
  });
  const figure = learnFigure(
    {
      title: "A tile and its short-list",
      alt: "A picture under a grid of tiles. For the chosen tile the oriented boxes of the blobs in its short-list are outlined, and the list stands beside it in order of depth. Below, the separating-axis test of one blob against the tile is shown axis by axis.",
      note: "Move over the tiles, click one to keep it, or walk with the arrow keys. Click a blob of the list to see why it is there, and one that is left out to see which axis parts it from the tile.",
      isWide: true,
    },
    element("div", { class: "learn-controls" }, kinds.node, sizes.node, outlines.node),
  );
  const source = sceneSource(figure, lab, ({ scene, picture }) => {
    ofRun = { scene, picture };
    if (kind === "run") changeScene();
  });
  const legend = element(
    "p",
    { class: "tile-legend" },
    element("span", { class: "legend-box" }, "in the list"),
    element("span", { class: "legend-box idle" }, "in the list for nothing"),
    element("span", { class: "legend-box out" }, "left out"),
  );
  const beside = element("div", { class: "tile-beside" }, list, told.node);
  const stageColumn = element("div", {}, stage.node, legend);
  const columns = element("div", { class: "tile-columns" }, stageColumn, beside);
  figure.querySelector(".learn-controls")!.after(source, hand.node, columns, costs, axes.node);

  const changeScene = () => {
    source.hidden = kind !== "run";
    hand.isActive = kind === "hand";
    if (kind === "hand") return hand.lay(tileSize);
    void layRun();
  };

  const layRun = async () => {
    const of = ofRun;
    if (!of) return;
    const scene = await inFrames(onTiles(of.scene, tileSize));
    if (kind === "run" && of === ofRun && isSize(scene.tile, tileSize)) showScene({ ...of, scene });
  };

  const chosenOf = ({ source }: TileScene) => chosen[source];

  const showScene = (next: { scene: TileScene; picture: Image }) => {
    shown = next;
    const { scene, picture } = next;
    stage.show(scene, picture);
    const mine = chosenOf(scene);
    const isThere = mine.size && isSize(mine.size, scene.tile) && mine.tile! < scene.across * scene.down;
    if (!isThere) Object.assign(mine, { tile: firstTile(scene), size: scene.tile });
    if (mine.blob !== undefined && mine.blob >= scene.blobs.length) mine.blob = undefined;
    if (hovered !== undefined && hovered >= scene.across * scene.down) hovered = undefined;
    showTile();
    void showCosts();
  };

  // A pointer crosses several tiles in a frame.
  const showSoon = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      showTile();
    });
  };

  const showTile = () => {
    if (!shown) return;
    const { scene } = shown;
    const mine = chosenOf(scene);
    const tile = hovered ?? mine.tile!;
    stage.choose(mine.tile!);
    const members = membersOf(scene, tile);
    const blob = mine.blob ?? firstBlob(members);
    drawShapes(scene, members, blob);
    showList(scene, members, blob);
    axes.show(scene, tile, blob);
    hand.select(blob);
  };

  const chooseBlob = (blob: number) => {
    chosenOf(shown!.scene).blob = blob;
    hovered = undefined;
    showTile();
  };

  const drawShapes = (scene: TileScene, { list, idle, added, nearest }: TileMembers, chosenBlob: number) => {
    const kindOf = outlines.value;
    const outline = (blob: number, name: string) => {
      const box = scene.boxes[blob];
      const isChosen = blob === chosenBlob;
      const both = isChosen || kindOf === "both";
      const d = [
        both || kindOf === "boxes" ? pathOfBox(box) : "",
        both || kindOf === "ellipses" ? pathOfEllipse(box) : "",
      ].join("");
      return standsFor(
        svg("path", { class: `outline ${name}${isChosen ? " chosen" : ""}`, d }),
        nameOfBlob(scene, blob),
      );
    };
    const listed = Array.from(list, (blob) => outline(blob, idle.has(blob) ? "idle" : "in"));
    const others = new Set([...added, ...nearest, chosenBlob].filter((blob) => !list.includes(blob)));
    const all = [...Array.from(others, (blob) => outline(blob, "out")), ...listed];
    // The chosen one above the others.
    all.sort((a, b) => Number(a.classList.contains("chosen")) - Number(b.classList.contains("chosen")));
    // Dark below light, so that it can be seen on any picture.
    const under = svg("path", { class: "outline under", d: all.at(-1)!.getAttribute("d") });
    stage.shapes.replaceChildren(...all.slice(0, -1), under, ...all.slice(-1));
  };

  const showList = (
    scene: TileScene,
    { tile, list: blobs, idle, added, spared, nearest }: TileMembers,
    chosenBlob: number,
  ) => {
    const chip = (blob: number, name: string, words: string) => {
      const { red, green, blue } = scene.blobs[blob];
      const color = [red, green, blue].map((channel) => Math.round(255 * channel)).join(" ");
      const button = element(
        "button",
        {
          type: "button",
          class: `chip ${name}`,
          style: `--blob: rgb(${color})`,
          "aria-pressed": String(blob === chosenBlob),
          "aria-label": `Blob ${blob}, ${words}`,
          onclick: () => chooseBlob(blob),
        },
        String(blob),
      );
      return standsFor(button, nameOfBlob(scene, blob));
    };
    const group = (title: string, chips: HTMLElement[]) => [
      element("p", { class: "chip-head" }, title),
      element("div", { class: "chips" }, ...chips, ...(chips.length === 0 ? ["none"] : [])),
    ];
    const next = list.cloneNode() as HTMLElement;
    const focused = document.activeElement;
    const hadFocus = list.contains(focused) ? focused?.getAttribute("aria-label") : undefined;
    next.append(
      ...group(
        `Tile ${placeOf(scene, tile)}: its list, front to back`,
        Array.from(blobs, (blob) =>
          idle.has(blob) ? chip(blob, "idle", "in the list for nothing") : chip(blob, "in", "in the list"),
        ),
      ),
      ...group(
        "Left out, though an axis-aligned box would meet the tile",
        added.map((blob) => chip(blob, "out", "left out")),
      ),
      ...group(
        "Left out, and nearest of the others",
        nearest.map((blob) => chip(blob, "out", "left out")),
      ),
    );
    // A button that is put in place of another while it is pressed is not clicked.
    if (!next.isEqualNode(list)) list.replaceChildren(...next.childNodes);
    if (hadFocus) list.querySelector<HTMLElement>(`[aria-label="${CSS.escape(hadFocus)}"]`)?.focus();
    told.set({ "in the list": `${count(blobs.length)} of ${count(scene.blobs.length)}` });
    told.set({
      "of them for nothing": `${count(idle.size)}${idle.size > 0 ? ` (${percent(idle.size / blobs.length)})` : ""}`,
    });
    const aligned = blobs.length + added.length - spared.length;
    told.set({ "axis-aligned boxes": `${count(aligned)} (+${count(added.length)} −${count(spared.length)})` });
    void askGpu(scene, tile, blobs);
  };

  const askGpu = async (scene: TileScene, tile: number, blobs: Uint32Array) => {
    const mine = ++request;
    if (!isSeen) return;
    if (engine.kind === "cpu") return told.set({ "kernel on your GPU": "no GPU here" });
    // A pointer on its way over many tiles asks about none of them.
    await new Promise((resolve) => setTimeout(resolve, 150));
    if (mine !== request) return;
    const gpu = await pageGpu(engine);
    if (!gpu) return told.set({ "kernel on your GPU": "no GPU here" });
    const capacity = 2048;
    const gathered = await gatherOnGpu(gpu, scene, tile, capacity).catch((error: Error) => error);
    if (mine !== request) return;
    if (gathered instanceof Error) return told.set({ "kernel on your GPU": gathered.message.split("\n")[0] });
    const there = new Set(gathered);
    const other = [...blobs].filter((blob) => !there.has(blob)).length + Math.max(there.size - blobs.length, 0);
    const same = blobs.length > capacity ? "list too long" : other === 0 ? "the same" : `${counted(other, "other")}`;
    told.set({ "kernel on your GPU": `${count(gathered.length)}, ${same}` });
  };

  /** Counts one scene after the other: a run may bring new ones faster than they are counted. */
  const showCosts = async () => {
    if (isCounting) return;
    isCounting = true;
    while (shown && shown.scene !== countedScene) {
      const { scene } = shown;
      const { mean, longest, idle, aligned } = await inFrames(listCosts(scene));
      countedScene = scene;
      if (shown.scene.source !== scene.source || !isSize(shown.scene.tile, scene.tile)) continue;
      const n = scene.blobs.length;
      const [width, height] = scene.tile;
      setText(
        costs,
        `Over all ${count(scene.across * scene.down)} tiles of ${width} × ${height}: the mean list holds ${mean.toFixed(1)} of ${count(n)} blobs, so a pixel evaluates ${percent(mean / n)} of what it would without tiles; the longest holds ${count(longest)}. In the mean list ${idle.toFixed(1)} are there for nothing, and with axis-aligned boxes it would hold ${aligned.toFixed(1)}.`,
      );
    }
    isCounting = false;
  };
  changeScene();
  whenSeen(figure, () => {
    isSeen = true;
    showTile();
  });
  return figure;
}

/** A tile whose list holds something for nothing, if there is one near the fullest: there is more to see. */
function firstTile(scene: TileScene): number {
  if (scene.blobs.length > 20) return fullestTile(scene);
  const tiles = Array.from({ length: scene.across * scene.down }, (_, tile) => tile);
  const idle = (tile: number) =>
    Array.from(listOf(scene, tile)).filter((blob) => !contributes(scene, blob, tile)).length;
  return tiles.reduce((best, tile) => (idle(tile) > idle(best) ? tile : best), fullestTile(scene));
}

/** One that is in the list for nothing, or the list's first, or the nearest that is not in it. */
function firstBlob({ list, idle, added, nearest }: TileMembers): number {
  return [...idle, ...list, ...added, ...nearest][0];
}

function done<T>(work: Generator<void, T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}
