import { tileGrid } from "../../../engine/cpu/uv.js";
import type { Size } from "../../../engine/image.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { element, setText, svg } from "../../element.js";
import { count } from "../../format.js";
import { whenSeen } from "../../seen.js";
import { codePair } from "../codePair.js";
import { choice, scrollBox } from "../controls.js";
import { facts } from "../facts.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { threadPlace } from "./threadPlaces.js";
import { workgroupMemory } from "./workgroupMemory.js";

const sides = ["4", "8", "16"] as const;
/** Of WebGPU, which every adapter keeps at the least. */
const defaultLimits = { memory: 16_384, threads: 256 };

/** What the figure begins with. */
export interface WorkgroupOptions {
  tile?: [number, number];
  /** Pixels of the render. */
  render?: Size;
  gaussiansPerBlock?: number;
}

/**
 * The threads of a workgroup over its tile: the reader chooses its size and points at a thread, and sees where the thread
 * finds its pixel, and what memory the workgroup has in common.
 */
export function workgroupFigure(
  engine: BrowserEngine,
  { tile = [8, 4], render = { width: 44, height: 28 }, gaussiansPerBlock = 512 }: WorkgroupOptions = {},
): HTMLElement {
  let size = tile;
  // Somewhere in the midst of it.
  let thread = Math.min(13, tile[0] * tile[1] - 1) + 9 * tile[0] * tile[1];
  let limits = defaultLimits;
  let limitWords = "what every WebGPU adapter has";
  const sizeChoice = (label: string, axis: 0 | 1) =>
    choice(label, sides, String(tile[axis]) as (typeof sides)[number], (value) => {
      size = size.map((side, i) => (i === axis ? Number(value) : side)) as [number, number];
      // The same pixel's tile as before, as near as there is one.
      const { across, down } = tileGrid(render, size);
      thread = Math.min(thread, across * down * size[0] * size[1] - 1);
      lay();
    });
  const width = sizeChoice("TILE_WIDTH", 0);
  const height = sizeChoice("TILE_HEIGHT", 1);
  const lists = ["64", "128", "256", "512", "1024", "2048", "4096"];
  const list = choice("GAUSSIANS_PER_BLOCK", lists, String(gaussiansPerBlock), () => showMemory());

  const slider = element("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": "Thread of the dispatch",
    oninput: () => choose(Number(slider.value)),
  });
  const words = element("output", { class: "place-words" });
  const all = facts("thread of the dispatch", "workgroup, its tile", "local index", "pixel");
  const map = svg("svg", { class: "place-map", role: "img" });
  const threads = svg("svg", { class: "place-threads", role: "img" });
  const code = codePair(engine.shaders, {
    wgsl: { file: "shared/uv.wgsl", from: "fn threadPlace" },
    twin: { file: "cpu/uv.ts", from: "export function tileOrigin" },
    marks: {
      "code:place.across": { wgsl: "let across = (renderSize.x" },
      "code:place.origin": { wgsl: "let origin = vec2u(tile % across", twin: "return { x: (tile % across) * width" },
      "code:place.pixel": { wgsl: "let pixel = origin + vec2u(localIndex" },
      "code:place.inside": { wgsl: "return ThreadPlace(origin, pixel" },
    },
  });

  /** Draws the render's tiles, and the threads of the chosen one. */
  const lay = () => {
    const { across, down, count: tiles } = tileGrid(render, size);
    slider.max = String(tiles * size[0] * size[1] - 1);
    const unit = 10;
    map.setAttribute("viewBox", `-1 -1 ${unit * across * size[0] + 2} ${unit * down * size[1] + 2}`);
    const picture = { width: unit * render.width, height: unit * render.height, class: "place-picture" };
    const cells = Array.from({ length: tiles }, (_, t) => {
      const { origin } = threadPlace(t * size[0] * size[1], render, size);
      const [x, y] = [unit * origin.x, unit * origin.y];
      const cell = { x, y, width: unit * size[0], height: unit * size[1], class: "place-tile" };
      const label = { x: x + cell.width / 2, y: y + cell.height / 2, class: "place-number" };
      const enter = () => choose(t * size[0] * size[1] + (thread % (size[0] * size[1])));
      return svg("g", { onclick: enter }, standsFor(svg("rect", cell), `tile:${t}`), svg("text", label, String(t)));
    });
    map.replaceChildren(svg("rect", picture), ...cells, svg("g", { class: "place-pixels" }));
    drawn = -1;
    show();
    showMemory();
  };
  /** The tile whose threads are drawn. */
  let drawn = -1;
  const drawThreads = (first: number) => {
    const [columns, rows] = size;
    // Of more threads there is room for their numbers alone.
    const hasRoom = columns <= 8 && rows <= 8;
    const unit = hasRoom ? 56 : 32;
    threads.setAttribute("viewBox", `-1 -1 ${unit * columns + 2} ${unit * rows + 2}`);
    const nodes: SVGElement[] = [];
    const pixels: SVGElement[] = [];
    for (let i = 0; i < columns * rows; i++) {
      const { pixel, inside, localIndex } = threadPlace(first + i, render, size);
      const things = [`thread:${localIndex}`, `pixel:${pixel.x},${pixel.y}`];
      const x = unit * (i % columns);
      const y = unit * Math.floor(i / columns);
      const cell = svg("rect", { x, y, width: unit, height: unit, class: inside ? "thread" : "thread outside" });
      const middle = x + unit / 2;
      nodes.push(
        svg(
          "g",
          { onpointerenter: () => choose(first + i), onclick: () => choose(first + i) },
          standsFor(cell, ...things),
          svg("text", { x: middle, y: y + (hasRoom ? 25 : 21), class: "thread-index" }, String(localIndex)),
          hasRoom && svg("text", { x: middle, y: y + 43, class: "thread-pixel" }, `${pixel.x}, ${pixel.y}`),
        ),
      );
      const spot = { x: 10 * pixel.x + 1, y: 10 * pixel.y + 1, width: 8, height: 8 };
      pixels.push(standsFor(svg("rect", { ...spot, class: inside ? "spot" : "spot outside" }), ...things));
    }
    threads.classList.toggle("many", !hasRoom);
    threads.style.minWidth = `${0.87 * unit * columns}px`;
    threads.style.maxWidth = `${1.15 * unit * columns}px`;
    threads.replaceChildren(...nodes, svg("rect", { width: unit, height: unit, class: "chosen-thread" }));
    map.querySelector(".place-pixels")!.replaceChildren(...pixels);
  };
  const choose = (next: number) => {
    thread = next;
    show();
  };
  const show = () => {
    const place = threadPlace(thread, render, size);
    const { tile, localIndex, origin, pixel, inside } = place;
    const first = thread - localIndex;
    if (tile !== drawn) drawThreads(first);
    drawn = tile;
    for (const part of [threads.querySelectorAll(".thread"), map.querySelectorAll(".spot")]) {
      for (const [i, cell] of part.entries()) cell.classList.toggle("chosen", i === localIndex);
    }
    const chosen = threads.querySelectorAll(".thread")[localIndex];
    for (const at of ["x", "y"]) threads.lastElementChild!.setAttribute(at, chosen.getAttribute(at)!);
    for (const [t, cell] of map.querySelectorAll(".place-tile").entries()) cell.classList.toggle("chosen", t === tile);
    slider.value = String(thread);
    slider.ariaValueText = `thread ${thread}: workgroup ${tile}, local index ${localIndex}`;
    const { across } = tileGrid(render, size);
    all.set({
      "thread of the dispatch": count(thread),
      "workgroup, its tile": `${tile}`,
      "local index": String(localIndex),
      pixel: `${pixel.x}, ${pixel.y}${inside ? "" : " (outside)"}`,
    });
    const [w, h] = size;
    setText(
      words,
      `A row has ${across} tiles: tile ${tile} is in column ${tile} mod ${across} = ${tile % across} and row ⌊${tile} / ${across}⌋ = ${Math.floor(tile / across)}, and begins at pixel ${origin.x}, ${origin.y}. A row of the tile has ${w} threads: thread ${localIndex} is in column ${localIndex % w} and row ${Math.floor(localIndex / w)}, and its pixel is ${pixel.x}, ${pixel.y}.${inside ? "" : " That is not on the picture: the thread helps with the work and writes nothing."}`,
    );
    map.ariaLabel = `A picture of ${render.width} by ${render.height} pixels in ${w} by ${h} tiles; tile ${tile} is chosen.`;
    threads.ariaLabel = `The ${w * h} threads of workgroup ${tile}, with local index and pixel; thread ${localIndex} is chosen.`;
    code.activate("code:place.origin", inside ? "code:place.pixel" : "code:place.inside");
  };

  const memoryBar = element("div", { class: "memory-bar", role: "img" });
  const memoryRows = element("tbody");
  const memorySum = element("p", { class: "memory-sum", "aria-live": "polite" });
  const showMemory = () => {
    const lengths = { GAUSSIANS_PER_BLOCK: Number(list.value), WORKGROUP_SIZE: size[0] * size[1] };
    const variables = workgroupMemory(engine.shaders, "tiled/computeDerivatives.wgsl", lengths);
    const used = variables.reduce((sum, { counted }) => sum + counted, 0);
    const whole = Math.max(used, limits.memory);
    memoryBar.replaceChildren(
      ...variables.map(({ name, counted }) =>
        standsFor(
          element("div", { class: "memory-part", style: `width: max(2px, ${(100 * counted) / whole}%)` }),
          `code:memory.${name}`,
        ),
      ),
    );
    memoryBar.ariaLabel = `${count(used)} of ${count(limits.memory)} bytes`;
    memoryRows.replaceChildren(
      ...variables.map(({ name, type, counted, file }) =>
        standsFor(
          element(
            "tr",
            {},
            element("td", {}, element("span", { class: "memory-swatch" }), element("code", {}, name)),
            element("td", {}, element("code", {}, type)),
            element("td", { class: "number" }, count(counted)),
            element("td", {}, file),
          ),
          `code:memory.${name}`,
        ),
      ),
    );
    memorySum.classList.toggle("too-much", used > limits.memory);
    const fits = used <= limits.memory ? "" : " That is too much: no kernel with these numbers can be made here.";
    setText(
      memorySum,
      `${count(lengths.WORKGROUP_SIZE)} of ${count(limits.threads)} threads, and ${count(used)} of ${count(limits.memory)} bytes: ${limitWords}.${fits}`,
    );
  };

  lay();
  const node = learnFigure(
    {
      title: "A workgroup over its tile",
      alt: "A small picture cut into numbered tiles; the threads of the chosen tile's workgroup, each with its local index and the pixel it works on; below, the memory that the workgroup shares.",
      note: "Pick a tile of the picture and point at its threads, or drag through all threads of the dispatch. The numbers of threads that lie outside the picture are crossed out. The memory is what the tiled pipeline’s own kernel declares; change the tile and the length of the short-list, and see what fits.",
      isWide: true,
    },
    element("div", { class: "learn-controls" }, width.node, height.node, list.node),
    element("label", { class: "place-slider" }, "Thread of the dispatch", slider),
    all.node,
    words,
    element("div", { class: "place-columns" }, map, scrollBox("The workgroup’s threads", threads)),
    code.node,
    element("h4", {}, "What the threads of a workgroup have in common"),
    memoryBar,
    memorySum,
    scrollBox(
      "Variables of workgroup memory",
      element(
        "table",
        { class: "memory-table" },
        element(
          "thead",
          {},
          element("tr", {}, ...["variable", "type", "bytes", "file"].map((name) => element("th", {}, name))),
        ),
        memoryRows,
      ),
    ),
  );
  whenSeen(node, () => {
    void pageGpu(engine).then((gpu) => {
      if (!gpu) return;
      const { maxComputeWorkgroupStorageSize: memory, maxComputeInvocationsPerWorkgroup: threads } = gpu.limits;
      limits = { memory, threads };
      limitWords = `the limits of ${gpu.description}`;
      showMemory();
    });
  });
  return node;
}
