import { element, setText, svg } from "../../element.js";
import { standsFor } from "../marks.js";
import { type HandBlob, handBlobs, handConfig, handLimits, handParameters, handSize } from "./handScene.js";
import { type TileScene, tileScene } from "./tileScene.js";
import type { TileStage } from "./tileStage.js";

/** Lets the reader drag, widen and turn a few blobs on a stage, by pointer, keys, or the sliders below it. */
export class HandEditor {
  readonly node: HTMLElement;
  #blobs = handBlobs();
  #tile: [number, number] = [8, 8];
  #selected = 0;
  readonly #bodies: SVGEllipseElement[] = [];
  readonly #handles = {
    length: svg("circle", { class: "hand-handle", r: 0.014 }),
    width: svg("circle", { class: "hand-handle", r: 0.014 }),
  };
  readonly #title = element("span", { class: "hand-title" }, "Blob 0");
  readonly #sliders: Record<"length" | "width" | "angle", HTMLInputElement>;
  readonly #outputs: Record<"length" | "width" | "angle", HTMLElement>;

  /** @param changed hears of the scene after each change, and which blob was changed */
  constructor(
    readonly stage: TileStage,
    readonly changed: (scene: TileScene, blob?: number) => void,
  ) {
    const { thinnest, longest } = handLimits;
    const slider = (
      label: string,
      min: number,
      max: number,
      step: number,
      set: (blob: HandBlob, value: number) => void,
    ) => {
      const input = element("input", {
        type: "range",
        "aria-label": label,
        min,
        max,
        step,
        oninput: () => this.#change(this.#selected, (blob) => set(blob, input.valueAsNumber)),
      });
      const output = element("output");
      return { input, output, node: element("label", {}, element("span", {}, label, " ", output), input) };
    };
    const length = slider("σ along, in pixels", thinnest, longest, 0.1, (blob, value) => (blob.length = value));
    const width = slider("σ across, in pixels", thinnest, longest, 0.1, (blob, value) => (blob.width = value));
    const angle = slider("turned by", -90, 90, 1, (blob, value) => (blob.angle = (value * Math.PI) / 180));
    this.#sliders = { length: length.input, width: width.input, angle: angle.input };
    this.#outputs = { length: length.output, width: width.output, angle: angle.output };
    const reset = () => {
      this.#blobs = handBlobs();
      this.#lay(this.#selected);
    };
    this.#makeGrips();
    this.node = element(
      "div",
      { class: "learn-controls hand-editor", hidden: true },
      this.#title,
      length.node,
      width.node,
      angle.node,
      element("button", { type: "button", onclick: reset }, "As at first"),
    );
  }

  set isActive(isActive: boolean) {
    this.node.hidden = !isActive;
    this.stage.grips.toggleAttribute("hidden", !isActive);
  }

  /** Lays the blobs out on tiles of a size. */
  lay(tile: [number, number]): void {
    this.#tile = tile;
    this.#lay();
  }

  /** The blob that the sliders are for. */
  select(blob: number): void {
    if (this.node.hidden || !this.#blobs[blob]) return;
    this.#selected = blob;
    this.#placeGrips();
    const { length, width, angle } = this.#blobs[blob];
    const degrees = Math.round((angle * 180) / Math.PI);
    setText(this.#title, `Blob ${blob}`);
    for (const [name, value, text] of [
      ["length", length, length.toFixed(1)],
      ["width", width, width.toFixed(1)],
      ["angle", degrees, `${degrees < 0 ? "−" : ""}${Math.abs(degrees)}°`],
    ] as const) {
      this.#sliders[name].valueAsNumber = value;
      this.#sliders[name].ariaValueText = text;
      setText(this.#outputs[name], text);
    }
  }

  /** What one takes hold of: each blob's middle, and two handles of the selected one. */
  #makeGrips(): void {
    const { width: w, height: h } = handSize;
    for (const index of this.#blobs.keys()) {
      const body = svg("ellipse", {
        class: "hand-body",
        tabindex: 0,
        role: "button",
        "aria-label": `Blob ${index}: the arrow keys move it, with Shift they turn and lengthen it, with Alt they widen it`,
        onkeydown: (event: KeyboardEvent) => this.#key(event, index),
        onfocus: () => index !== this.#selected && this.#change(index, () => {}),
      });
      this.#drag(
        body,
        () => index,
        (blob, [u, v], [fromU, fromV], before) => {
          blob.x = clamp(before.x + (u - fromU) * w, -handLimits.outside, w + handLimits.outside);
          blob.y = clamp(before.y + (v - fromV) * h, -handLimits.outside, h + handLimits.outside);
        },
      );
      this.#bodies.push(standsFor(body, `blob:hand.${index}`));
    }
    for (const name of ["length", "width"] as const) {
      this.#drag(
        this.#handles[name],
        () => this.#selected,
        (blob, [u, v]) => {
          const [dx, dy] = [u * w - blob.x, v * h - blob.y];
          blob[name] = clamp(Math.hypot(dx, dy) / 4, handLimits.thinnest, handLimits.longest);
          if (name === "length") blob.angle = halfTurn(Math.atan2(dy, dx));
        },
      );
    }
    this.stage.grips.append(...this.#bodies, ...Object.values(this.#handles));
  }

  #placeGrips(): void {
    const { width: w, height: h } = handSize;
    for (const [index, { x, y, length, width, angle }] of this.#blobs.entries()) {
      const body = this.#bodies[index];
      body.setAttribute("rx", String(Math.max(1.6 * length, 1.6) / w));
      body.setAttribute("ry", String(Math.max(1.6 * width, 1.6) / h));
      body.setAttribute("transform", `translate(${x / w} ${y / h}) rotate(${(angle * 180) / Math.PI})`);
      body.classList.toggle("chosen", index === this.#selected);
    }
    const { x, y, length, width, angle } = this.#blobs[this.#selected];
    for (const [name, sigma, direction] of [
      ["length", length, angle],
      ["width", width, angle + Math.PI / 2],
    ] as const) {
      // Where the box ends, or where the picture does.
      const reach = 4 * sigma;
      this.#handles[name].setAttribute("cx", String((x + reach * Math.cos(direction)) / w));
      this.#handles[name].setAttribute("cy", String((y + reach * Math.sin(direction)) / h));
    }
  }

  #key(event: KeyboardEvent, index: number): void {
    const turns: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const move = turns[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    const { thinnest, longest } = handLimits;
    this.#change(index, (blob) => {
      if (event.shiftKey) {
        blob.angle = halfTurn(blob.angle + (move[0] * Math.PI) / 36);
        blob.length = clamp(blob.length - 0.2 * move[1], thinnest, longest);
      } else if (event.altKey) {
        blob.width = clamp(blob.width - 0.2 * move[1], thinnest, longest);
      } else {
        blob.x = clamp(blob.x + move[0], -handLimits.outside, handSize.width + handLimits.outside);
        blob.y = clamp(blob.y + move[1], -handLimits.outside, handSize.height + handLimits.outside);
      }
    });
  }

  #drag(
    node: SVGElement,
    which: () => number,
    move: (blob: HandBlob, at: [number, number], from: [number, number], before: HandBlob) => void,
  ): void {
    node.addEventListener("pointerdown", (event) => {
      const index = which();
      const from = this.stage.uvAt(event);
      const before = { ...this.#blobs[index] };
      const follow = (moved: PointerEvent) => {
        this.#change(index, (blob) => move(blob, this.stage.uvAt(moved), from, before));
      };
      const end = () => {
        removeEventListener("pointermove", follow);
        removeEventListener("pointerup", end);
        removeEventListener("pointercancel", end);
      };
      addEventListener("pointermove", follow);
      addEventListener("pointerup", end);
      addEventListener("pointercancel", end);
      this.#change(index, () => {});
    });
    // A click that begins here is no choice of a tile.
    node.addEventListener("click", (event) => event.stopPropagation());
  }

  #change(index: number, change: (blob: HandBlob) => void): void {
    change(this.#blobs[index]);
    this.#selected = index;
    this.#lay(index);
  }

  #lay(blob?: number): void {
    const work = tileScene(handConfig(this.#blobs.length), handSize, handParameters(this.#blobs), this.#tile, "hand");
    let step = work.next();
    while (!step.done) step = work.next();
    this.#placeGrips();
    this.changed(step.value, blob);
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** The same direction of a line, between −90° and 90°. */
function halfTurn(angle: number): number {
  return angle - Math.PI * Math.round(angle / Math.PI);
}
