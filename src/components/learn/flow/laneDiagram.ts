import { element, setText, svg } from "../../element.js";
import { standsFor } from "../marks.js";
import { type HalfCell, laneCells } from "./laneLines.js";
import type { Use } from "./uses.js";

/** A stage of a lane diagram, or a variable: its heading, and the things that it stands for. */
export interface LaneHead {
  name: string;
  /** In place of the name, where that is too long. */
  title?: string;
  /** A few words below it. */
  note?: string;
  things: string[];
}

export interface Lanes {
  /** What it shows, for who does not see it. */
  label: string;
  /** What the lanes are, above their names. */
  corner: string;
  stages: LaneHead[];
  lanes: LaneHead[];
  /** What a stage does to a lane. */
  use: (stage: string, lane: string) => Use | undefined;
  /** Whether the first stage follows on the last one. */
  isCycle: boolean;
  /** What is handed from each stage to the next, where something is. */
  handed?: string[];
  choose: (stage: string) => void;
}

/** Stages from left to right, what threads share in lanes below them, and who reads and writes what. */
export interface LaneDiagram {
  readonly node: HTMLElement;
  /** Marks a stage as the chosen one. */
  show(stage: string): void;
  /** Gives a stage or a lane other words below its name. */
  tell(name: string, note: string): void;
}

export function laneDiagram({ label, corner, stages, lanes, use, isCycle, handed, choose }: Lanes): LaneDiagram {
  const notes = new Map<string, HTMLElement>();
  const buttons = new Map<string, HTMLElement>();
  const note = ({ name, note = "" }: LaneHead) => {
    const place = element("span", { class: "lane-note" }, note);
    notes.set(name, place);
    return place;
  };
  const cells = lanes.map(({ name }) =>
    laneCells(
      stages.map((stage) => use(stage.name, name)),
      isCycle,
    ),
  );
  const isDrawn = (cell: (typeof cells)[number][number]) => cell.use !== undefined;
  const lastLane = stages.map((_, at) => cells.findLastIndex((lane) => isDrawn(lane[at])));
  const stageHead = (stage: LaneHead) => {
    const button = element(
      "button",
      { type: "button", class: "flow-box", "aria-pressed": "false", onclick: () => choose(stage.name) },
      element("strong", {}, ...breakable(stage.title ?? stage.name)),
      note(stage),
    );
    buttons.set(stage.name, button);
    return element("th", { scope: "col" }, standsFor(button, ...stage.things));
  };
  const cell = (lane: number, stage: number) => {
    const { use, left, right } = cells[lane][stage];
    const td = element(
      "td",
      {},
      lane <= lastLane[stage] && element("span", { class: `lane-stem${lane === lastLane[stage] ? " is-last" : ""}` }),
      ...lines(left, "left"),
      ...lines(right, "right"),
      use && glyph(use),
      use && element("span", { class: "visually-hidden" }, use),
    );
    return use ? standsFor(td, ...stages[stage].things, ...lanes[lane].things) : td;
  };
  const table = element(
    "table",
    { class: "lanes", "aria-label": label },
    element(
      "thead",
      {},
      handed && handedRow(handed),
      element("tr", {}, element("td", { class: "lane-corner" }, corner), ...stages.map(stageHead)),
    ),
    element(
      "tbody",
      {},
      ...lanes.map((lane, at) =>
        element(
          "tr",
          {},
          standsFor(
            element("th", { scope: "row" }, element("code", {}, lane.title ?? lane.name), note(lane)),
            ...lane.things,
          ),
          ...stages.map((_, stage) => cell(at, stage)),
        ),
      ),
    ),
  );
  const scroller = element("div", { class: "flow-scroll", tabindex: 0, role: "group", "aria-label": label }, table);
  return {
    node: element("div", { class: "lane-diagram" }, scroller, legend(isCycle)),
    show(name) {
      for (const [other, button] of buttons) button.setAttribute("aria-pressed", String(other === name));
    },
    tell(name, text) {
      const place = notes.get(name);
      if (place) setText(place, text);
    },
  };
}

/** Lets a long name break before its capitals. */
export function breakable(name: string): (Node | string)[] {
  return name.split(/(?=[A-Z])/).flatMap((part, at) => (at > 0 ? [element("wbr"), part] : [part]));
}

/** Brackets above the stages, each with what it hands on. */
function handedRow(handed: string[]): HTMLElement {
  const places = [...handed, undefined].map((token, at) =>
    element(
      "td",
      {},
      at > 0 && element("span", { class: "handed-in" }),
      token !== undefined && element("span", { class: "handed-out" }),
      token !== undefined && standsFor(element("span", { class: "handed" }, token), `token:${token}`),
    ),
  );
  return element("tr", { class: "lane-handed" }, element("td"), ...places);
}

function lines({ forward, back }: HalfCell, side: "left" | "right"): HTMLElement[] {
  const line = (kind: string) => element("span", { class: `lane-line ${side} ${kind}` });
  return [...(forward ? [line("forward")] : []), ...(back ? [line("back")] : [])];
}

const up = (x: number) => svg("path", { d: `M${x - 5} 14 L${x} 5 L${x + 5} 14 Z`, class: "lane-reads" });
const down = (x: number) => svg("path", { d: `M${x - 5} 6 L${x} 15 L${x + 5} 6 Z`, class: "lane-writes" });

/** Up into the stage for reading, down onto the lane for writing. */
function glyph(use: Use): SVGElement {
  const marks = { reads: [up(12)], writes: [down(12)], "reads and writes": [up(6), down(18)] }[use];
  return svg(
    "svg",
    { class: "lane-glyph", width: 24, height: 20, viewBox: "0 0 24 20", "aria-hidden": true },
    ...marks,
  );
}

function legend(isCycle: boolean): HTMLElement {
  const entry = (mark: Node, words: string) => element("span", {}, mark, ` ${words}`);
  return element(
    "p",
    { class: "lane-legend" },
    entry(glyph("reads"), "the stage reads it"),
    entry(glyph("writes"), "the stage writes it"),
    entry(element("span", { class: "lane-sample forward" }), "to a later stage"),
    isCycle && entry(element("span", { class: "lane-sample back" }), "to the next step"),
  );
}
