import type { OrientedBox } from "../../../engine/cpu/bounds.js";
import { tileOrigin } from "../../../engine/cpu/uv.js";
import type { Image } from "../../../engine/image.js";
import { element, svg } from "../../element.js";
import { onPointed, pointAt } from "../marks.js";
import { cornersOf } from "./separation.js";
import { nameOfTile, type TileScene, tileOfName } from "./tileScene.js";

/** A picture under its grid of tiles, one of which the reader chooses, and under whatever is drawn in UV units above. */
export class TileStage {
  readonly node: HTMLElement;
  /** For shapes in UV units; strokes are in pixels of the screen. */
  readonly shapes = svg("g");
  /** For what one takes hold of, above the shapes. */
  readonly grips = svg("g");
  readonly #svg: SVGSVGElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #grid = svg("path", { class: "stage-grid" });
  /** Dark below light, so that it can be seen on any picture. */
  readonly #tile = ["under", ""].map((name) => svg("path", { class: `stage-tile ${name}` }));
  readonly #hovered = svg("path", { class: "stage-hovered" });
  #scene: TileScene | undefined;
  #chosen = 0;

  /**
   * @param label what it is, for who does not see it
   * @param chose hears which tile the reader has clicked, tapped, or gone to by the arrow keys
   * @param hovered hears which tile the mouse is over, and undefined when it leaves
   */
  constructor(label: string, chose: (tile: number) => void, hovered: (tile: number | undefined) => void = () => {}) {
    this.#canvas = element("canvas", { "aria-hidden": "true", width: 1, height: 1 });
    this.#svg = svg(
      "svg",
      { viewBox: "0 0 1 1", preserveAspectRatio: "none", tabindex: 0, role: "application", "aria-label": label },
      this.#grid,
      this.shapes,
      this.#hovered,
      ...this.#tile,
      this.grips,
    );
    this.node = element("div", { class: "tile-stage" }, this.#canvas, this.#svg);
    const hover = (tile: number | undefined) => {
      const scene = this.#scene!;
      pointAt(...(tile === undefined ? [] : [nameOfTile(scene, tile)]));
      hovered(tile);
    };
    onPointed(this.node, (things) => {
      const scene = this.#scene;
      if (!scene) return;
      const tile = things.map((thing) => tileOfName(scene, thing)).find((found) => found !== undefined);
      const isThere = tile !== undefined && tile !== this.#chosen && tile < scene.across * scene.down;
      this.#hovered.setAttribute("d", isThere ? pathOfTile(scene, tile) : "");
    });
    this.#svg.addEventListener("pointermove", (event) => {
      if (this.#scene && event.pointerType === "mouse" && event.buttons === 0) hover(this.#tileAt(event));
    });
    this.#svg.addEventListener("pointerleave", () => this.#scene && hover(undefined));
    this.#svg.addEventListener("click", (event) => {
      const tile = this.#scene && this.#tileAt(event);
      if (tile !== undefined) chose(tile);
    });
    this.#svg.addEventListener("keydown", (event) => {
      const moves: Record<string, [number, number]> = {
        ArrowLeft: [-1, 0],
        ArrowRight: [1, 0],
        ArrowUp: [0, -1],
        ArrowDown: [0, 1],
      };
      const move = moves[event.key];
      if (!move || !this.#scene || event.target !== this.#svg) return;
      event.preventDefault();
      const { across, down } = this.#scene;
      const column = Math.min(Math.max((this.#chosen % across) + move[0], 0), across - 1);
      const row = Math.min(Math.max(Math.floor(this.#chosen / across) + move[1], 0), down - 1);
      chose(row * across + column);
    });
  }

  /** Where a pointer is, in UV. */
  uvAt({ clientX, clientY }: MouseEvent): [u: number, v: number] {
    const box = this.#svg.getBoundingClientRect();
    return [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
  }

  show(scene: TileScene, picture: Image): void {
    const canvas = this.#canvas;
    const { width, height, data } = picture;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    canvas.classList.toggle("few-pixels", Math.max(width, height) <= 256);
    canvas.getContext("2d")!.putImageData(new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height), 0, 0);
    this.node.style.aspectRatio = `${scene.size.width} / ${scene.size.height}`;
    if (scene.across !== this.#scene?.across || scene.tile !== this.#scene.tile || scene.size !== this.#scene.size) {
      this.#hovered.setAttribute("d", "");
      this.#grid.setAttribute("d", pathOfGrid(scene));
    }
    this.#scene = scene;
  }

  choose(tile: number): void {
    this.#chosen = tile;
    if (this.#scene) for (const path of this.#tile) path.setAttribute("d", pathOfTile(this.#scene, tile));
    this.#hovered.setAttribute("d", "");
  }

  #tileAt(event: MouseEvent): number | undefined {
    const { across, down, tile, size } = this.#scene!;
    const [u, v] = this.uvAt(event);
    const column = Math.floor((u * size.width) / tile[0]);
    const row = Math.floor((v * size.height) / tile[1]);
    return column >= 0 && row >= 0 && column < across && row < down ? row * across + column : undefined;
  }
}

function pathOfGrid({ across, down, tile: [width, height], size }: TileScene): string {
  const lines: string[] = [];
  for (let x = 1; x < across; x++) lines.push(`M${(x * width) / size.width} 0V1`);
  for (let y = 1; y < down; y++) lines.push(`M0 ${(y * height) / size.height}H1`);
  return lines.join("");
}

/** A tile's outline, as far as it lies on the picture. */
function pathOfTile({ across, tile: [width, height], size }: TileScene, tile: number): string {
  const { x, y } = tileOrigin(tile, across, [width, height]);
  const right = Math.min(x + width, size.width) / size.width;
  const bottom = Math.min(y + height, size.height) / size.height;
  return `M${x / size.width} ${y / size.height}H${right}V${bottom}H${x / size.width}Z`;
}

/** A box's outline. */
export function pathOfBox(box: OrientedBox): string {
  return `M${cornersOf(box)
    .map(([x, y]) => `${x} ${y}`)
    .join("L")}Z`;
}

/** The outline of the ellipse that touches a box's sides: 4σ for a blob's. */
export function pathOfEllipse({ centerX, centerY, axisX, axisY, halfLength, halfWidth }: OrientedBox): string {
  const angle = (Math.atan2(axisY, axisX) * 180) / Math.PI;
  const end = (sign: number) => `${centerX + sign * halfLength * axisX} ${centerY + sign * halfLength * axisY}`;
  const arc = `A${halfLength} ${halfWidth} ${angle} 0 1 `;
  return `M${end(1)}${arc}${end(-1)}${arc}${end(1)}Z`;
}
