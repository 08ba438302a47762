import { backstage } from "../../backstage.js";
import { element, setText, svg } from "../../element.js";
import { count, counted } from "../../format.js";
import type { Lab } from "../../lab/lab.js";
import type { Scene } from "../../lab/scene.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { numberText } from "../numberText.js";
import { pictureStage } from "./pictureStage.js";
import { type ChosenPixel, type PixelChoice, pixelChoice, places } from "./pixelChoice.js";
import { colorText, swatch } from "./swatch.js";

/**
 * The picture of a lab's run and its target, on which the reader picks the pixel that the other figures of the page take
 * apart.
 */
export function pixelPicker(lab: Lab): HTMLElement {
  const choice = pixelChoice(lab);
  const picture = pictureStage("What the blobs make, with the pixel marked");
  const target = pictureStage("What they learn, with the pixel marked");
  const stages = [picture, target];
  const follow = element("input", { type: "checkbox", onchange: () => choice.follow(follow.checked) });
  const newest = element("button", { type: "button", onclick: () => choice.takeNewest() }, "Take the newest step");
  const goTo = Object.values(places).map((place) =>
    element("button", { type: "button", onclick: () => void choice.goTo(place) }, place.name),
  );
  const facts = new Facts();
  const panel = (stage: HTMLElement, name: string) =>
    element("div", { class: "picked-picture" }, element("p", { class: "picked-name" }, name), stage);

  for (const [index, stage] of stages.entries()) {
    const { node } = stage;
    node.classList.add("is-pickable");
    if (index === 0) {
      node.tabIndex = 0;
      node.setAttribute("role", "application");
      node.setAttribute("aria-label", "Pixel of the blobs' picture: arrow keys move it, with shift by a tile");
      node.addEventListener("keydown", (event) => moveByKey(choice, event));
    }
    const pick = (event: PointerEvent | MouseEvent) => {
      if (!choice.pixel) return;
      const box = node.getBoundingClientRect();
      const { width, height } = choice.pixel.scene.target;
      choice.choose(
        ((event.clientX - box.left) / box.width) * width,
        ((event.clientY - box.top) / box.height) * height,
      );
    };
    node.addEventListener("click", pick);
    node.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse" && event.buttons === 1) pick(event);
    });
  }

  let shown: Scene | undefined;
  const figure = learnFigure(
    {
      title: "Pick a pixel",
      alt: "The picture that the blobs make now beside the one that they learn, with a pixel and its tile marked in both.",
      note: "Point and click, or move with the arrow keys. The figures below take this pixel apart. Its moment is held while you look at it, though the run goes on.",
    },
    element(
      "div",
      { class: "picked-pictures" },
      panel(picture.node, "What the blobs make"),
      panel(target.node, "What they learn"),
    ),
    facts.node,
    element(
      "div",
      { class: "learn-controls picker-controls" },
      element("label", { class: "check" }, follow, "Follow the run"),
      newest,
      element("span", { class: "goto", role: "group", "aria-label": "Go to the pixel with the" }, "Go to: ", ...goTo),
    ),
  );
  const show = () => {
    const { pixel } = choice;
    follow.checked = choice.isFollowing;
    newest.disabled = !choice.hasNewer;
    figure.ariaBusy = String(choice.isSearching);
    if (!pixel) return;
    const { scene } = pixel;
    if (scene !== shown) {
      shown = scene;
      target.show(scene.target);
      void backstage("toImage", scene.look.picture).then((image) => {
        if (scene === shown) picture.show(image);
      });
    }
    for (const stage of stages) stage.drawing.replaceChildren(...marksOf(pixel));
    facts.show(pixel);
  };
  choice.observe(figure, show);
  return figure;
}

function moveByKey(choice: PixelChoice, event: KeyboardEvent): void {
  const ways: Record<string, [number, number]> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  };
  const way = ways[event.key];
  if (!way || !choice.pixel) return;
  event.preventDefault();
  const { scene, stack } = choice.pixel;
  const [width, height] = event.shiftKey ? scene.look.tiles.size : [1, 1];
  choice.choose(stack.x + way[0] * width, stack.y + way[1] * height);
}

/** The tile's outline, and the pixel with lines to it that also show where it is one of many. */
function marksOf({ scene, list, stack: { x, y } }: ChosenPixel): SVGElement[] {
  const { size } = scene.look.tiles;
  const { width, height } = scene.target;
  const lines = [
    [x + 0.5, 0, x + 0.5, Math.max(y - 2, 0)],
    [x + 0.5, Math.min(y + 3, height), x + 0.5, height],
    [0, y + 0.5, Math.max(x - 2, 0), y + 0.5],
    [Math.min(x + 3, width), y + 0.5, width, y + 0.5],
  ];
  const tile = svg("rect", { class: "picked-tile", x: list.x, y: list.y, width: size[0], height: size[1] });
  const pixel = svg("rect", { class: "picked-pixel", x, y, width: 1, height: 1 });
  return [
    ...lines.map(([x1, y1, x2, y2]) => svg("line", { class: "picked-line", x1, y1, x2, y2 })),
    standsFor(tile, `tile:${list.tile}`),
    standsFor(pixel, `pixel:${x},${y}`),
  ];
}

class Facts {
  readonly node: HTMLElement;
  readonly #values: Record<"pixel" | "tile" | "list" | "step" | "light" | "color", HTMLElement>;
  readonly #made = swatch();
  readonly #wanted = swatch();

  constructor() {
    const value = () => element("dd", {}, "–");
    this.#values = { step: value(), pixel: value(), tile: value(), list: value(), light: value(), color: value() };
    const fact = (name: string, node: HTMLElement) => element("div", {}, element("dt", {}, name), node);
    this.node = element(
      "dl",
      { class: "learn-facts" },
      fact("step", this.#values.step),
      fact("pixel", this.#values.pixel),
      fact("its tile", this.#values.tile),
      fact("the tile's short-list", this.#values.list),
      fact("light left, T", this.#values.light),
      fact("made | wanted", this.#values.color),
    );
  }

  show({ scene, list, stack }: ChosenPixel): void {
    const { x, y } = stack;
    const { data, width } = scene.look.picture;
    const [red, green, blue, transmittance] = data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4);
    setText(this.#values.step, count(scene.look.state.step));
    setText(this.#values.pixel, `${x}, ${y}`);
    setText(this.#values.tile, `${list.column}, ${list.row}`);
    setText(this.#values.list, counted(list.length, "blob"));
    setText(this.#values.light, numberText(transmittance, 4));
    this.#made.show([red, green, blue]);
    this.#wanted.show(stack.target);
    const words = `made ${colorText([red, green, blue])}; wanted ${colorText(stack.target)}`;
    const spoken = element("span", { class: "visually-hidden" }, words);
    this.#values.color.replaceChildren(this.#made.node, " ", this.#wanted.node, spoken);
  }
}
