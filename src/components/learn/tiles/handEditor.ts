import { element, setText, svg } from "../../element.js";
import { numberInput } from "../../inputs/numberInput.js";
import { standsFor } from "../marks.js";
import { type HandBlob, handBlobs, handLimits, handSize } from "./handScene.js";

/** Blobs as a reader has laid them, and which was chosen last; null as long as none was. */
export interface HandLaid {
  blobs: HandBlob[];
  chosen: number | null;
}

/** An input for `view`, whose value is some blobs that the reader moves. */
export type HandEditor = HTMLElement & {
  value: HandLaid;
  /** What one takes hold of, to be laid over the blobs' picture. */
  grips: SVGSVGElement;
  /** Chooses a blob, as if the reader had taken hold of it. */
  choose(blob: number): void;
  /** Puts the handles on a blob, and its numbers into the sliders. */
  show(blob: number): void;
};

const { width: pictureWidth, height: pictureHeight } = handSize;
const { thinnest, longest, outside } = handLimits;
const degrees = Math.PI / 180;

/** How a drag, of a blob or of a handle, changes a blob: where it is, where it began, and the blob as it was there. */
type Move = (blob: HandBlob, at: [number, number], from: [number, number], before: HandBlob) => void;

/** Lets a reader drag, widen and turn nine blobs by pointer, keys, or sliders. */
export function handEditor(): HandEditor {
  let blobs = handBlobs();
  let selected = 0;
  const changed = (chosen = selected) => {
    selected = chosen;
    node.value = { blobs: blobs.map((blob) => ({ ...blob })), chosen };
    place();
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const change = (index: number, how: (blob: HandBlob) => void) => {
    how(blobs[index]);
    changed(index);
  };

  const slider = (
    label: string,
    range: [number, number],
    step: number,
    set: (blob: HandBlob, value: number) => void,
  ) => {
    const input = numberInput(label, range, { value: range[0], step });
    input.addEventListener("input", () => change(selected, (blob) => set(blob, input.value)));
    return input;
  };
  const reach: [number, number] = [thinnest, longest];
  const sliders = {
    length: slider("σ along, in pixels", reach, 0.1, (blob, value) => (blob.length = value)),
    width: slider("σ across, in pixels", reach, 0.1, (blob, value) => (blob.width = value)),
    angle: slider("turned by, in degrees", [-90, 90], 1, (blob, value) => (blob.angle = value * degrees)),
  };
  const title = element("strong");
  const reset = () => {
    blobs = handBlobs();
    changed();
  };
  const box = element("div", {}, ...Object.values(sliders));
  // Whoever observes this element hears of its blobs alone.
  box.addEventListener("input", (event) => event.stopPropagation());
  const again = element("button", { type: "button", onclick: reset }, "As at first");
  const node = element("div", { class: "hand-editor" }, title, box, again) as unknown as HandEditor;

  const bodies = blobs.map((_, index) =>
    standsFor(
      svg("ellipse", {
        class: "hand-body",
        tabindex: 0,
        role: "button",
        "aria-label": `Blob ${index}: the arrow keys move it, with Shift they turn and lengthen it, with Alt they widen it`,
        onkeydown: (event: KeyboardEvent) => byKey(event, index),
        onfocus: () => index !== selected && changed(index),
      }),
      `blob:hand.${index}`,
    ),
  );
  const handles = (["length", "width"] as const).map((name) => ({
    name,
    grip: svg("circle", { class: "hand-handle", r: 0.9 }),
  }));
  const grips = svg(
    "svg",
    {
      class: "hand-grips",
      viewBox: `0 0 ${pictureWidth} ${pictureHeight}`,
      role: "group",
      "aria-label": "Blobs to move",
    },
    ...bodies,
    ...handles.map(({ grip }) => grip),
  );
  const drag = (grip: SVGElement, which: () => number, move: Move) => {
    const pixelAt = ({ clientX, clientY }: MouseEvent): [number, number] => {
      const { left, top, width, height } = grips.getBoundingClientRect();
      return [((clientX - left) / width) * pictureWidth, ((clientY - top) / height) * pictureHeight];
    };
    let from: [number, number];
    let before: HandBlob;
    grip.addEventListener("pointerdown", (event) => {
      grip.setPointerCapture(event.pointerId);
      from = pixelAt(event);
      before = { ...blobs[which()] };
      changed(which());
    });
    grip.addEventListener("pointermove", (event) => {
      if (!grip.hasPointerCapture(event.pointerId)) return;
      change(which(), (blob) => move(blob, pixelAt(event), from, before));
    });
  };
  for (const [index, body] of bodies.entries()) {
    drag(
      body,
      () => index,
      (blob, at, from, before) => moveTo(blob, before.x + at[0] - from[0], before.y + at[1] - from[1]),
    );
  }
  for (const { name, grip } of handles) {
    drag(
      grip,
      () => selected,
      (blob, [x, y]) => {
        const [dx, dy] = [x - blob.x, y - blob.y];
        blob[name] = clamp(Math.hypot(dx, dy) / 4, thinnest, longest);
        if (name === "length") blob.angle = halfTurn(Math.atan2(dy, dx));
      },
    );
  }

  const byKey = (event: KeyboardEvent, index: number) => {
    const ways: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    change(index, (blob) => {
      if (event.shiftKey) {
        blob.angle = halfTurn(blob.angle + 5 * degrees * way[0]);
        blob.length = clamp(blob.length - 0.2 * way[1], thinnest, longest);
      } else if (event.altKey) blob.width = clamp(blob.width - 0.2 * way[1], thinnest, longest);
      else moveTo(blob, blob.x + way[0], blob.y + way[1]);
    });
  };

  const place = () => {
    for (const [index, { x, y, length, width, angle }] of blobs.entries()) {
      const body = bodies[index];
      body.setAttribute("rx", String(1.6 * Math.max(length, 1)));
      body.setAttribute("ry", String(1.6 * Math.max(width, 1)));
      body.setAttribute("transform", `translate(${x} ${y}) rotate(${angle / degrees})`);
      body.classList.toggle("chosen", index === selected);
    }
    const { x, y, angle, ...sigmas } = blobs[selected];
    for (const { name, grip } of handles) {
      // Where the box ends.
      const direction = name === "length" ? angle : angle + 90 * degrees;
      grip.setAttribute("cx", String(x + 4 * sigmas[name] * Math.cos(direction)));
      grip.setAttribute("cy", String(y + 4 * sigmas[name] * Math.sin(direction)));
    }
  };
  node.show = (blob) => {
    selected = blob;
    place();
    const { length, width, angle } = blobs[blob];
    setText(title, `Blob ${blob}`);
    for (const [name, value] of Object.entries({ length, width, angle: Math.round(angle / degrees) })) {
      const input = sliders[name as keyof typeof sliders];
      // What is being typed stays as it is typed.
      if (input.value !== value) input.value = value;
    }
  };
  node.value = { blobs, chosen: null };
  node.show(0);
  return Object.assign(node, { grips, choose: changed });
}

function moveTo(blob: HandBlob, x: number, y: number): void {
  blob.x = clamp(x, -outside, pictureWidth + outside);
  blob.y = clamp(y, -outside, pictureHeight + outside);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** The same direction of a line, between −90° and 90°. */
function halfTurn(angle: number): number {
  return angle - Math.PI * Math.round(angle / Math.PI);
}
