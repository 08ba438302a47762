import { type Size, toImage } from "../../../engine/image.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { element, setText, svg } from "../../element.js";
import { inFrames } from "../../lab/inFrames.js";
import type { Lab } from "../../lab/lab.js";
import { codePair } from "../codePair.js";
import { choice, wholeNumber } from "../controls.js";
import { facts } from "../facts.js";
import { learnFigure } from "../learnFigure.js";
import { drawAt } from "./drawTiles.js";
import { type RunScene, sceneSource } from "./sceneSource.js";
import type { TileScene } from "./tileScene.js";
import { TileStage } from "./tileStage.js";
import { tileUv, type UvBox, uvView } from "./uvView.js";

/** Shapes of a render that one meets, in pixels. */
const shapes: Record<string, Size> = {
  square: { width: 128, height: 128 },
  wide: { width: 160, height: 90 },
  tall: { width: 90, height: 160 },
};

/** Pixels of a side that can be asked for. */
const limits: [number, number] = [8, 256];

/** How pixels of a render of any shape map to UV, and what that shows of the picture. */
export function uvFigure(engine: BrowserEngine, lab: Lab): HTMLElement {
  let render = { ...shapes.wide };
  let texture: Size | undefined;
  let tileSize: [number, number] = [16, 16];
  let tile = 0;
  let source: RunScene | undefined;
  let isDrawing = false;
  let isStale = false;

  const wrong = element("p", { class: "wrong-input", role: "alert" });
  const shape = choice(
    "Render",
    [
      ["square", "square, 128 × 128"],
      ["wide", "16:9, 160 × 90"],
      ["tall", "9:16, 90 × 160"],
      ["free", "free"],
    ],
    "wide",
    (name) => {
      if (name === "free") return;
      render = { ...shapes[name] };
      width.set(String(render.width));
      height.set(String(render.height));
      reshape();
    },
  );
  const side = (name: "width" | "height", label: string) =>
    wholeNumber(label, render[name], limits, wrong, (value) => {
      render = { ...render, [name]: value };
      shape.value = "free";
      reshape();
    });
  const width = side("width", "Width, in pixels");
  const height = side("height", "Height, in pixels");
  const textures = choice(
    "Texture",
    [
      ["own", "the run’s picture"],
      ["3:2", "taken as 3:2"],
      ["2:3", "taken as 2:3"],
    ],
    "own",
    (name) => {
      const [across, down] = name.split(":").map(Number);
      texture = name === "own" ? undefined : { width: across, height: down };
      update();
    },
  );
  const tiles = choice(
    "Tile, in pixels",
    [
      ["8x4", "8 × 4"],
      ["8x8", "8 × 8"],
      ["16x16", "16 × 16"],
      ["32x32", "32 × 32"],
    ],
    "16x16",
    (text) => {
      tileSize = text.split("x").map(Number) as [number, number];
      reshape();
    },
  );
  const stage = new TileStage("Tiles of the render; the arrow keys choose one", (next) => {
    tile = next;
    update();
  });
  const space = svg("svg", { class: "uv-space", viewBox: "-0.12 -0.1 1.24 1.24", role: "img" });
  const canvas = element("canvas", { "aria-hidden": "true", width: 1, height: 1 });
  const told = facts("tileLow", "tileHigh", "a pixel’s step", "u covered", "v covered");
  const words = element("p", { class: "uv-words", "aria-live": "polite" });
  const code = codePair(engine.shaders, {
    wgsl: { file: "shared/uv.wgsl", from: "fn calcUV(" },
    twin: { file: "cpu/uv.ts", from: "export function calcUV(" },
    marks: {
      "code:uv.wide": { wgsl: "return UvMapping(vec2f(1.0, covered)", twin: "return { scaleX: 1 / render.width" },
      "code:uv.tall": { wgsl: "return UvMapping(vec2f(covered, 1.0)", twin: "return { scaleX: covered / render.width" },
    },
  });
  const bounds = codePair(engine.shaders, {
    wgsl: { file: "shared/uv.wgsl", from: "fn tileBounds(" },
    twin: { file: "cpu/uv.ts", from: "export function tileBounds(" },
    marks: { "code:uv.tile": { wgsl: "let tileLow = vec2f(origin)", twin: "centerX: origin.x * uv.scaleX" } },
  });
  bounds.activate("code:uv.tile");
  const frame = element("div", { class: "uv-frame" }, stage.node);
  const figure = learnFigure(
    {
      title: "What a render of another shape shows",
      alt: "To the left UV space, a unit square with the whole picture in it, and the part that the render covers; to the right the render itself under its grid of tiles. The chosen tile is marked in both, with its UV corners in numbers.",
      note: "Choose a shape or type one, and click a tile of the render: it is marked in UV space too. The render on the right is drawn by the CPU twin from the run’s blobs, with the same mapping.",
      isWide: true,
    },
    element("div", { class: "learn-controls" }, shape.node, width.node, height.node, textures.node, tiles.node),
    wrong,
  );
  figure.querySelector(".wrong-input")!.after(
    sceneSource(figure, lab, (taken) => {
      source = taken;
      const { width, height, data } = taken.picture;
      Object.assign(canvas, { width, height });
      canvas.getContext("2d")!.putImageData(new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height), 0, 0);
      update();
    }),
    words,
    element(
      "div",
      { class: "uv-columns" },
      element(
        "div",
        {},
        element("p", { class: "uv-title" }, "UV space, [0, 1]²"),
        element("div", { class: "uv-stage" }, canvas, space),
      ),
      element("div", {}, element("p", { class: "uv-title" }, "The render, in pixels"), frame),
    ),
    told.node,
    code.node,
    bounds.node,
  );

  const reshape = () => {
    // The run's picture may come later.
    if (!source) {
      const aspect = render.width / render.height;
      frame.style.setProperty("--aspect", String(aspect));
      stage.node.style.aspectRatio = String(aspect);
    }
    const view = uvView(render, texture ?? { width: 1, height: 1 }, tileSize);
    // Somewhat off the middle, where low and high differ most from round numbers.
    tile = Math.floor(view.down / 2) * view.across + Math.floor(view.across / 3);
    update();
  };

  const update = () => {
    const shown = texture ?? source?.scene.size ?? { width: 1, height: 1 };
    const view = uvView(render, shown, tileSize);
    tile = Math.min(tile, view.across * view.down - 1);
    const { low, high } = tileUv(view, tileSize, tile);
    drawSpace(space, view.covered, { low, high });
    told.set({ tileLow: pair(low) });
    told.set({ tileHigh: pair(high) });
    told.set({ "a pixel’s step": pair([view.mapping.scaleX, view.mapping.scaleY], 5) });
    told.set({ "u covered": range(view.covered, 0) });
    told.set({ "v covered": range(view.covered, 1) });
    code.activate(render.width / render.height > shown.width / shown.height ? "code:uv.wide" : "code:uv.tall");
    const stretch = texture
      ? "and the picture is stretched only in that it is taken for another shape"
      : "and nothing is stretched";
    setText(words, `${describe(render, shown, view.cut, view.covered)} There are no bars, ${stretch}.`);
    void draw();
  };

  const draw = async () => {
    isStale = true;
    if (isDrawing) return;
    isDrawing = true;
    while (isStale && source) {
      isStale = false;
      const { scene } = source;
      const [size, shown, cells, number] = [render, texture ?? scene.size, tileSize, tile];
      const picture = await inFrames(drawAt(scene, size, shown, cells));
      if (isStale) continue;
      const { across, down } = uvView(size, shown, cells);
      const there: TileScene = { ...scene, source: "render", size, tile: cells, across, down };
      frame.style.setProperty("--aspect", String(size.width / size.height));
      stage.show(there, toImage(picture));
      stage.choose(number);
    }
    isDrawing = false;
  };
  reshape();
  return figure;
}

function pair([u, v]: [number, number], digits = 4): string {
  return `${u.toFixed(digits)}, ${v.toFixed(digits)}`;
}

function range({ low, high }: UvBox, axis: 0 | 1): string {
  return `${low[axis].toFixed(3)} to ${high[axis].toFixed(3)}`;
}

function describe(render: Size, texture: Size, cut: string, { low, high }: UvBox): string {
  const aspects = `The render’s aspect is ${(render.width / render.height).toFixed(3)}, the texture’s ${(texture.width / texture.height).toFixed(3)}`;
  if (cut === "nothing") return `${aspects}: they are alike, and the render shows all of UV space.`;
  const share = cut === "above and below" ? high[1] - low[1] : high[0] - low[0];
  const [wider, axis] = cut === "above and below" ? ["wider", "v"] : ["narrower", "u"];
  return `${aspects}: the render is ${wider}, so it shows the middle ${(100 * share).toFixed(1)} % of ${axis}, and the rest is cut off ${cut}.`;
}

/** UV space: its axes, what the render covers, and a tile. */
function drawSpace(space: SVGSVGElement, covered: UvBox, tile: UvBox): void {
  const rectangle = ({ low, high }: UvBox, name: string) =>
    svg("rect", { class: name, x: low[0], y: low[1], width: high[0] - low[0], height: high[1] - low[1] });
  const outside = `M0 0H1V1H0ZM${covered.low[0]} ${covered.low[1]}V${covered.high[1]}H${covered.high[0]}V${covered.low[1]}Z`;
  const ticks = [0, 0.25, 0.5, 0.75, 1].flatMap((at) => [
    svg("text", { x: at, y: 1.065, "text-anchor": "middle", class: "uv-tick" }, String(at)),
    svg("text", { x: -0.02, y: at, "text-anchor": "end", dy: "0.32em", class: "uv-tick" }, String(at)),
  ]);
  space.replaceChildren(
    svg("path", { class: "uv-outside", d: outside }),
    rectangle({ low: [0, 0], high: [1, 1] }, "uv-unit"),
    rectangle(covered, "uv-covered"),
    rectangle(tile, "uv-tile under"),
    rectangle(tile, "uv-tile"),
    ...ticks,
    svg("text", { x: 0.5, y: 1.12, "text-anchor": "middle", class: "uv-tick" }, "u →"),
    svg("text", { x: -0.09, y: 0.375, "text-anchor": "middle", class: "uv-tick" }, "v ↓"),
  );
  space.setAttribute(
    "aria-label",
    `The render covers u from ${range(covered, 0)} and v from ${range(covered, 1)}; the tile lies from ${pair(tile.low)} to ${pair(tile.high)}`,
  );
}
