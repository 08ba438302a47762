import { parameterNames } from "../../../engine/blobs.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { element, setText, svg } from "../../element.js";
import type { Lab } from "../../lab/lab.js";
import { whenSeen } from "../../seen.js";
import { type CodePair, codePair } from "../codePair.js";
import { thingOf } from "../flow/stageFlow.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { stepper } from "../stepper.js";
import { sampleLine } from "./sampleLine.js";
import { sharedSample } from "./sharedSample.js";
import type { StepSample } from "./stepSample.js";
import { type StepWalk, type WalkedPixel, walkStep } from "./stepWalk.js";
import { contentsBefore, placesOf, shownPixels, type WalkStage, walkStages } from "./walkStages.js";

/** One real training step of the lab's run, stage by stage: what one tile, one thread and one parameter hold. */
export function stepTimeline(engine: BrowserEngine, lab: Lab): HTMLElement {
  const line = sampleLine();
  const wrong = element("p", { class: "wrong-input", role: "status" });
  const chips = element("ol", { class: "walk-chips" });
  const picture = element("div", { class: "walk-picture" });
  const memory = element("tbody");
  const heads = ["What", "Where", "Before", "After"];
  const table = element(
    "table",
    { class: "walk-memory" },
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
    memory,
  );
  const chapter = element("p", { class: "walk-chapter" });
  const code = element("div", { class: "walk-code" });
  const pairs = new Map<string, CodePair>();
  let walk: StepWalk | undefined;
  let sample: StepSample | undefined;
  let stages: WalkStage[] = [];

  const show = (index: number) => {
    if (!walk || !sample) return;
    const stage = stages[index];
    for (const [k, chip] of [...chips.children].entries()) {
      if (k === index) chip.setAttribute("aria-current", "step");
      else chip.removeAttribute("aria-current");
    }
    const { field } = walk;
    const before: Record<string, string> = contentsBefore(walk);
    for (const { writes } of stages.slice(0, index)) Object.assign(before, writes);
    const rows = Object.entries(placesOf(walk, sample.config)).map(([key, { name, where }]) => {
      const written = (stage.writes as Record<string, string>)[key];
      const row = element(
        "tr",
        { class: written === undefined ? "" : "written" },
        element("th", { scope: "row" }, name),
        element("td", { class: "walk-where" }, where),
        element("td", { "data-head": "before" }, before[key]),
        element("td", { "data-head": "after" }, written ?? "as before"),
      );
      const isOfParameter = ["slot", "part", "parameter", "first", "second"].includes(key);
      return isOfParameter ? standsFor(row, `parameter:${parameterNames[field]}`) : row;
    });
    memory.replaceChildren(...rows);
    picture.replaceChildren(tilePicture(walk, stage.shows, (x, y) => sharedSample(lab).takePixel(x, y)));
    chapter.replaceChildren(
      "This is done by the kernel ",
      element("code", {}, stage.kernel),
      ...(stage.chapter
        ? [". Its own chapter: ", element("a", { href: `./${stage.chapter}` }, titles[stage.chapter]), "."]
        : ["."]),
    );
    const pair = pairOf(stage);
    if (code.firstChild !== pair.node) code.replaceChildren(pair.node);
    pair.activate(`code:walk.${stage.name}`);
  };
  const pairOf = (stage: WalkStage) => {
    let pair = pairs.get(stage.name);
    if (!pair) {
      pair = codePair(engine.shaders, { ...stage.code, marks: { [`code:walk.${stage.name}`]: stage.line } });
      pairs.set(stage.name, pair);
    }
    return pair;
  };
  const describe = (index: number) => `${stages[index].name}: ${stages[index].words}`;
  const steps = stepper(
    "Stage of the step",
    { count: 1, show: () => {}, describe: () => "The run’s first steps are on their way." },
    0.5,
  );

  const box = (label: string) =>
    element("input", {
      type: "text",
      inputmode: "numeric",
      size: 5,
      autocomplete: "off",
      "aria-label": label,
      onchange: () => goTo(),
    });
  const [x, y] = [box("Column of the pixel"), box("Row of the pixel")];
  const goTo = () => {
    const [column, row] = [x, y].map(({ value }) => Number(value.trim() || Number.NaN));
    const size = lab.run?.target.image;
    const isInside =
      size &&
      [column, row].every(Number.isInteger) &&
      column >= 0 &&
      row >= 0 &&
      column < size.width &&
      row < size.height;
    if (!isInside) {
      setText(
        wrong,
        `(${x.value}, ${y.value}) is no pixel: the picture has ${size?.width} × ${size?.height} of them, counted from 0.`,
      );
    } else if (!sharedSample(lab).takePixel(column, row)) {
      setText(wrong, `No blob is blended into pixel (${column}, ${row}).`);
    }
  };
  const take = (taken: StepSample) => {
    if (!taken.gradients) return;
    sample = taken;
    walk = walkStep(taken, taken.gradients);
    stages = walkStages(walk, taken.config);
    line.show(taken);
    x.value = String(taken.pixel.x);
    y.value = String(taken.pixel.y);
    setText(wrong, "");
    chips.replaceChildren(
      ...stages.map((stage, k) => {
        const button = element("button", { type: "button", class: "quiet", onclick: () => steps.goTo(k) }, stage.name);
        const { file, from } = stage.code.wgsl;
        return standsFor(element("li", {}, button), thingOf(file, /fn (\w+)/.exec(from)![1]));
      }),
    );
    const at = Math.min(steps.index, stages.length - 1);
    steps.reset({ count: stages.length, show, describe }, at);
  };

  const node = learnFigure(
    {
      title: "One training step of this run",
      alt: "The stages of one training step in their order; for the chosen one a table of what is in memory before and after, the pixels of one tile, and the code.",
      note: "Step through the stages, or choose one by its name. The rows with an arrow are what the stage writes. Click on a pixel of the tile, or type another one, to follow that.",
      isWide: true,
    },
    element(
      "div",
      { class: "learn-controls" },
      element(
        "button",
        { type: "button", onclick: () => sharedSample(lab).takeAnother() },
        "Take another blob and pixel",
      ),
      element("label", { class: "walk-pixel" }, "Pixel", element("span", {}, x, " ", y)),
    ),
    line.node,
    wrong,
    chips,
    steps.node,
    element("div", { class: "walk-body" }, picture, element("div", { class: "walk-table" }, table)),
    chapter,
    code,
  );
  whenSeen(node, () => sharedSample(lab).follow(node, take));
  return node;
}

const titles: Record<string, string> = {
  tiles: "Tiles and short-lists",
  sorting: "Sorting with a bitonic network",
  blending: "Blending and transmittance",
  undo: "Undoing the blend",
  gradients: "Gradients across threads",
  adam: "Adam",
};

const cell = 30;

/** The pixels of the tile, as colours, or as numbers by their strength. */
function tilePicture(
  walk: StepWalk,
  shows: keyof typeof shownPixels,
  choose: (x: number, y: number) => void,
): HTMLElement {
  const { title, of } = shownPixels[shows] as { title: string; of: (pixel: WalkedPixel) => readonly number[] | number };
  const { pixels, size } = walk;
  const [{ x: left, y: top }] = pixels;
  const values = pixels.map(of);
  const largest = Math.max(...values.map((value) => (typeof value === "number" ? Math.abs(value) : 0))) || 1;
  const squares = pixels.map((pixel, k) => {
    const [x, y] = [cell * (pixel.x - left), cell * (pixel.y - top)];
    const rect = standsFor(
      svg("rect", {
        x,
        y,
        width: cell,
        height: cell,
        ...paintOf(values[k], largest),
        onclick: () => choose(pixel.x, pixel.y),
      }),
      `pixel:${pixel.x},${pixel.y}`,
    );
    rect.append(svg("title", {}, tipOf(pixel, values[k])));
    return rect;
  });
  const signs = pixels.flatMap((pixel, k) => {
    const value = values[k];
    if (shows !== "part" || typeof value !== "number" || Math.abs(value) < 0.02 * largest) return [];
    const place = { x: cell * (pixel.x - left + 0.5), y: cell * (pixel.y - top + 0.5) + 5 };
    return [svg("text", { ...place, class: "walk-sign", "text-anchor": "middle" }, value > 0 ? "+" : "−")];
  });
  const looked = pixels[walk.pixel];
  const frame = svg("rect", {
    class: "walk-looked",
    x: cell * (looked.x - left) + 1,
    y: cell * (looked.y - top) + 1,
    width: cell - 2,
    height: cell - 2,
  });
  const drawing = svg(
    "svg",
    {
      viewBox: `-2 -2 ${cell * size[0] + 4} ${cell * size[1] + 4}`,
      role: "img",
      "aria-label": `${title}, of the tile in column ${walk.column}, row ${walk.row}`,
    },
    ...squares,
    ...signs,
    frame,
  );
  return element("figure", {}, element("figcaption", {}, title), drawing);
}

function paintOf(value: readonly number[] | number, largest: number) {
  if (typeof value !== "number") return { fill: `rgb(${value.map((channel) => Math.round(255 * channel)).join(" ")})` };
  return { class: value < 0 ? "below" : "above", "fill-opacity": (Math.abs(value) / largest).toFixed(3) };
}

function tipOf({ x, y }: WalkedPixel, value: readonly number[] | number): string {
  const words =
    typeof value === "number" ? value.toPrecision(3) : value.map((channel) => channel.toFixed(3)).join(", ");
  return `(${x}, ${y}): ${words}`;
}
