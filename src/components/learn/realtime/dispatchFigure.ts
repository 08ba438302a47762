import { completeConfig } from "../../../engine/config.js";
import { tileGrid } from "../../../engine/cpu/uv.js";
import { initialState } from "../../../engine/initialState.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { backstage } from "../../backstage.js";
import { element, setText, svg } from "../../element.js";
import { count } from "../../format.js";
import { whenSeen } from "../../seen.js";
import { radioRow } from "../controls.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { stepper } from "../stepper.js";
import { threadsOf } from "./dispatchModel.js";
import { pageRace } from "./pageRace.js";
import { pairsText } from "./pairsText.js";
import type { Race } from "./race.js";

const size = { width: 32, height: 8 };
const cell = 20;
const shapes: [number, number][] = [
  [32, 1],
  [16, 2],
  [8, 4],
  [4, 8],
];

/** Which pixel a thread of a one-dimensional dispatch has, by the shape of its workgroup, and how long that makes the lists. */
export function dispatchFigure(engine: BrowserEngine, { race = pageRace(engine) }: { race?: Race } = {}): HTMLElement {
  let shape = shapes[2];
  const drawing = svg("svg", {
    viewBox: `-1 -1 ${size.width * cell + 2} ${size.height * cell + 2}`,
    class: "dispatch-grid",
    role: "img",
    "aria-label": "Pixels of a picture, with those of one workgroup's threads marked",
  });
  const words = element("p", { class: "race-status", role: "status" });
  const show = (workgroup: number) => {
    const mine = new Map(threadsOf(workgroup, shape, size).map((placed) => [`${placed.x},${placed.y}`, placed]));
    const cells: SVGElement[] = [];
    for (let y = 0; y < size.height; y++) {
      for (let x = 0; x < size.width; x++) {
        const placed = mine.get(`${x},${y}`);
        const place = { x: x * cell, y: y * cell, width: cell, height: cell };
        const square = svg("rect", { ...place, class: placed ? "is-mine" : undefined });
        cells.push(placed ? standsFor(square, `thread:${placed.local}`) : square);
        if (!placed) continue;
        const at = { x: (x + 0.5) * cell, y: (y + 0.5) * cell + 4, "text-anchor": "middle", "pointer-events": "none" };
        cells.push(svg("text", at, String(placed.local)));
      }
    }
    drawing.replaceChildren(...cells);
  };
  const describe = (workgroup: number) => {
    const [first, ...rest] = threadsOf(workgroup, shape, size);
    return `Workgroup ${workgroup}: threads ${first.thread} to ${rest.at(-1)!.thread} of the dispatch, from pixel ${first.x}, ${first.y} on.`;
  };
  const steps = () => ({ count: tileGrid(size, shape).count, show, describe });
  const control = stepper("Workgroup", steps(), 3);
  let asked: { shape: [number, number]; job: unknown } | undefined;
  const countLists = async () => {
    const { job } = race;
    if (asked?.shape === shape && asked.job === job) return;
    const own = { shape, job };
    asked = own;
    try {
      const target = await race.picture();
      const { blobs, gaussiansPerBlock } = job;
      const config = completeConfig({ blobs, gaussiansPerBlock, tile: own.shape });
      const { parameters } = race.trained ?? initialState(config, target);
      const { width, height } = target;
      const { listed } = await backstage("countEvaluatedPairs", config, parameters, { width, height });
      if (asked !== own) return;
      const mean = listed / (width * height);
      setText(
        words,
        `${count(blobs)} blobs on ${width} × ${height} pixels, tiles of ${own.shape.join(" × ")}: ${pairsText(listed)} pairs on the lists, ${Number(mean.toPrecision(3))} blobs a pixel.`,
      );
    } catch (error) {
      setText(words, error instanceof Error ? error.message : String(error));
    }
  };
  const offered = shapes.map((each) => [each, each.join(" × ")] as const);
  const choices = radioRow("workgroup", offered, shape, (each) => {
    shape = each;
    control.reset(steps());
    void countLists();
  });
  const node = learnFigure(
    {
      title: "From a number to a pixel",
      alt: "A grid of 32 by 8 pixels. The pixels of one workgroup's 32 threads are marked, each with its thread's number.",
      note: "Choose a shape for the workgroup's 32 threads, and step through the workgroups. The line below the grid counts, for the job of the race, how long tiles of that shape make the short-lists.",
    },
    choices,
    control.node,
    element("div", { class: "wide-table" }, drawing),
    words,
  );
  whenSeen(node, () => {
    void countLists();
    const ignore = race.observe(() => (node.isConnected ? void countLists() : ignore()));
  });
  return node;
}
