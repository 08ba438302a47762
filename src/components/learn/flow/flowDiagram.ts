import { element, svg, uniqueId } from "../../element.js";
import { standsFor } from "../marks.js";
import { breakable } from "./laneDiagram.js";

/** A box of a flow diagram: a link where it has an address, otherwise a button. */
export interface FlowBox {
  id: string;
  title: string;
  /** A few words below the title. */
  note?: string;
  /** Its column and row; halves stand between. */
  at: [column: number, row: number];
  /** How it looks: see flow.css. */
  kind?: string;
  href?: string;
  things: string[];
}

export interface FlowArrow {
  from: string;
  to: string;
  label?: string;
  /** How it looks: see flow.css. */
  kind?: string;
}

export interface Flow {
  /** What it shows, for who does not see it. */
  label: string;
  boxes: FlowBox[];
  arrows: FlowArrow[];
  /** Pixels that a box is high, and that are between two rows. */
  boxHeight?: number;
  gap?: number;
  choose?: (id: string) => void;
}

/** Boxes and arrows; columns become rows where there is little width. */
export interface FlowDiagram {
  readonly node: HTMLElement;
  /** Marks a box as the chosen one. */
  show(id: string): void;
}

/** Pixels that a box is wide at least and at most, and that are between two columns. */
const widths = [118, 190];
const columnGap = 44;
/** The same where columns have become rows. */
const narrowWidths = [88, 190];
const narrowGap = 20;
/** Pixels that a label has to have beside it. */
const labelWidth = 80;
/** Room around the boxes for the frame of the one that has the focus. */
const padding = 4;

type Side = "left" | "right" | "top" | "bottom";
interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function flowDiagram({ label, boxes, arrows, boxHeight = 62, gap = 46, choose }: Flow): FlowDiagram {
  const head = uniqueId("head");
  const nodes = new Map(
    boxes.map((box) => {
      const content = [
        element("strong", {}, box.title),
        box.note && element("span", {}, ...breakable(box.note)),
      ] as const;
      const attributes = { class: `flow-box flow-at ${box.kind ?? ""}`, style: `height: ${boxHeight}px` };
      const node = box.href
        ? element("a", { ...attributes, href: box.href }, ...content)
        : element(
            "button",
            { ...attributes, type: "button", "aria-pressed": "false", onclick: () => choose?.(box.id) },
            ...content,
          );
      return [box.id, standsFor<HTMLElement>(node, ...box.things)];
    }),
  );
  const drawing = svg("svg", { class: "flow-arrows", "aria-hidden": true });
  const area = element("div", { class: "flow-area" }, drawing as unknown as Node, ...nodes.values());
  const node = element("div", { class: "flow-scroll", role: "group", "aria-label": label }, area);

  const layOut = (available: number) => {
    const extent = (axis: 0 | 1) => 1 + Math.max(...boxes.map(({ at }) => at[axis]));
    const needed = extent(0) * widths[0] + (extent(0) - 1) * columnGap;
    const isTurned = needed > available && extent(1) < extent(0);
    const [columns, rows] = isTurned ? [extent(1), extent(0)] : [extent(0), extent(1)];
    const between = isTurned ? narrowGap : columnGap;
    const [least, most] = isTurned ? narrowWidths : widths;
    const width = Math.min(Math.max((available - (columns - 1) * between) / columns, least), most);
    const places = new Map(
      boxes.map(({ id, at }): [string, Place] => {
        const [column, row] = isTurned ? [at[1], at[0]] : at;
        return [id, { x: column * (width + between), y: row * (boxHeight + gap), width, height: boxHeight }];
      }),
    );
    const size = { width: columns * width + (columns - 1) * between, height: rows * boxHeight + (rows - 1) * gap };
    area.style.width = `${size.width}px`;
    area.style.height = `${size.height}px`;
    for (const [id, { x, y }] of places) {
      const { style } = nodes.get(id)!;
      style.left = `${x}px`;
      style.top = `${y}px`;
      style.width = `${width}px`;
    }
    draw(places, size);
  };

  const draw = (places: ReadonlyMap<string, Place>, { width, height }: { width: number; height: number }) => {
    drawing.setAttribute("width", String(width));
    drawing.setAttribute("height", String(height));
    const ports = portsOf(arrows, places);
    const kinds = [...new Set(arrows.map(({ kind }) => kind ?? ""))];
    const tips = kinds.map((kind) =>
      svg(
        "marker",
        { id: `${head}${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" },
        svg("path", { d: "M0 0.5 L8 4 L0 7.5 Z", class: `flow-tip ${kind}` }),
      ),
    );
    const paths = arrows.map((arrow, at) => {
      const { from, to } = ports[at];
      const path = svg("path", {
        d: curve(from, to),
        class: `flow-arrow ${arrow.kind ?? ""}`,
        "marker-end": `url(#${head}${arrow.kind ?? ""})`,
      });
      const isLevel = Math.abs(from.y - to.y) < 1;
      if (!arrow.label || (isLevel && Math.abs(from.x - to.x) < labelWidth)) return path;
      const lines = arrow.label.split("\n");
      const text = svg(
        "text",
        { class: "flow-label", x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - 6.5 * (lines.length - 1) },
        ...lines.map((line, row) =>
          svg("tspan", { x: (from.x + to.x) / 2, dy: row === 0 ? "0.35em" : "1.15em" }, line),
        ),
      );
      return svg("g", {}, path, text);
    });
    drawing.replaceChildren(svg("defs", {}, ...tips), ...paths);
  };

  let drawn = -1;
  new ResizeObserver(() => {
    if (node.clientWidth === drawn || node.clientWidth === 0) return;
    drawn = node.clientWidth;
    layOut(drawn - 2 * padding);
  }).observe(node);
  return {
    node,
    show(id) {
      for (const [other, box] of nodes) {
        if (box instanceof HTMLButtonElement) box.setAttribute("aria-pressed", String(other === id));
      }
    },
  };
}

interface Port {
  x: number;
  y: number;
  side: Side;
}

/** Where each arrow leaves and arrives; those on one side of a box share it evenly, in the order of where they lead. */
function portsOf(arrows: readonly FlowArrow[], places: ReadonlyMap<string, Place>): { from: Port; to: Port }[] {
  interface End {
    box: Place;
    other: Place;
    side: Side;
    port: Port;
  }
  const bySide = new Map<string, End[]>();
  const end = (id: string, otherId: string) => {
    const box = places.get(id)!;
    const other = places.get(otherId)!;
    const side = sideTowards(box, other);
    const made: End = { box, other, side, port: { x: 0, y: 0, side } };
    bySide.set(`${id} ${side}`, [...(bySide.get(`${id} ${side}`) ?? []), made]);
    return made.port;
  };
  const ports = arrows.map(({ from, to }) => ({ from: end(from, to), to: end(to, from) }));
  for (const ends of bySide.values()) {
    const isUpright = ends[0].side === "left" || ends[0].side === "right";
    ends.sort((a, b) => (isUpright ? a.other.y - b.other.y : a.other.x - b.other.x));
    for (const [at, { box, side, port }] of ends.entries()) {
      const share = (at + 1) / (ends.length + 1);
      port.x = isUpright ? box.x + (side === "right" ? box.width : 0) : box.x + share * box.width;
      port.y = isUpright ? box.y + share * box.height : box.y + (side === "bottom" ? box.height : 0);
    }
  }
  return ports;
}

function sideTowards(box: Place, other: Place): Side {
  if (Math.abs(other.y - box.y) < box.height / 2) return other.x > box.x ? "right" : "left";
  return other.y > box.y ? "bottom" : "top";
}

/** From one port to another, leaving and arriving at right angles. */
function curve(from: Port, to: Port): string {
  if (Math.abs(from.x - to.x) < 1 || Math.abs(from.y - to.y) < 1) return `M${from.x} ${from.y} L${to.x} ${to.y}`;
  const isUpright = from.side === "top" || from.side === "bottom";
  const reach = Math.max(18, 0.6 * Math.abs(isUpright ? to.y - from.y : to.x - from.x));
  const pull = ({ x, y, side }: Port) => {
    if (side === "left") return [x - reach, y];
    if (side === "right") return [x + reach, y];
    return [x, side === "top" ? y - reach : y + reach];
  };
  return `M${from.x} ${from.y} C${pull(from).join(" ")} ${pull(to).join(" ")} ${to.x} ${to.y}`;
}
