import { element, setText } from "../element.js";
import { count, counted } from "../format.js";
import { listLimit } from "../runs/listLimit.js";
import { colorOf, type Scene } from "./scene.js";
import { mostListed } from "./tileLayers.js";
import type { TileList } from "./tileList.js";

/** What a tile's short-list holds, in words and numbers. */
export class TilePanel {
  readonly node: HTMLElement;
  readonly #title = element("h3", {}, "A tile");
  readonly #sentence = element("p", { "aria-live": "polite" });
  readonly #fill = element("div", { class: "fill-bar" });
  readonly #limit = element("div", { class: "fill-label" });
  readonly #indices = element("div", {
    class: "indices",
    tabindex: 0,
    role: "region",
    "aria-label": "Blobs of the tile's short-list",
  });

  constructor() {
    this.node = element(
      "div",
      { class: "tile-panel" },
      this.#title,
      this.#sentence,
      element("div", { class: "fill" }, this.#fill),
      this.#limit,
      this.#indices,
    );
  }

  show(scene: Scene, list: TileList): void {
    const { size: tile } = scene.look.tiles;
    const limit = listLimit(scene.config);
    const { length, passes } = list;
    this.#title.textContent = `Tile ${list.column}, ${list.row}`;
    const pixels = `pixels ${list.x}–${list.x + tile[0] - 1} across, ${list.y}–${list.y + tile[1] - 1} down`;
    const sentence = `${counted(length, "blob")} in ${counted(passes.length, "pass")}; ${pixels}.`;
    setText(this.#sentence, sentence);
    const share = limit === undefined ? 0 : length / limit;
    this.#fill.style.width = `${100 * Math.min(share, 1)}%`;
    this.#fill.classList.toggle("overflowing", share > 1);
    this.#fill.parentElement!.hidden = limit === undefined;
    this.#limit.textContent =
      limit === undefined
        ? "this pipeline's lists have no limit"
        : `${count(length)} of GAUSSIANS_PER_BLOCK ${count(limit)}`;
    const nodes: Node[] = [];
    let room = mostListed;
    for (const [index, blobs] of passes.entries()) {
      if (passes.length > 1) nodes.push(element("span", { class: "pass" }, `pass ${index + 1}`));
      for (const blob of blobs.subarray(0, room)) {
        nodes.push(element("span", { class: "index", style: `--blob: ${colorOf(scene, blob)}` }, String(blob)));
      }
      room -= Math.min(room, blobs.length);
    }
    if (length > mostListed) nodes.push(element("span", { class: "pass" }, `and ${count(length - mostListed)} more`));
    this.#indices.replaceChildren(...nodes);
  }
}
