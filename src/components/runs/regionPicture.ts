import type { TrainConfig } from "../../engine/config.js";
import type { RunDescription } from "../../engine/files/runDescription.js";
import { type Image, type Size, toImage } from "../../engine/picture/image.js";
import type { BlobsByPlace } from "../../engine/regions/blobs.js";
import { drawPart } from "../../engine/regions/draw.js";
import type { BrowserEngine } from "../../host/browser.js";
import type { RegionBlobs } from "../../host/regionBlobs.js";
import { whenGone } from "../figures/seen.js";
import { element, say, svg } from "../page/element.js";
import { count, counted } from "../page/format.js";
import { failed } from "../page/help.js";
import { paint, pictureFigure } from "../pictures/pictureFigure.js";
import type { PictureWindow } from "../pictures/pictureWindow.js";
import { type View, wholeView } from "../pictures/view.js";
import { partOf, placeOf, regionAt, regionsIn } from "./regionView.js";

/** Blobs that are drawn at once, and that stay in memory, at most. */
export const mostBlobs = 500_000;

/** Milliseconds that a view has to rest before it is drawn. */
const rest = 150;

/** What it takes to draw blobs. */
type Engine = Pick<BrowserEngine, "kind" | "description" | "backend">;

/** Where a picture's blobs come from, and what draws them; neither is asked for before somebody looks closer. */
export interface RegionSource {
  blobs(): Promise<RegionBlobs>;
  open(): Promise<Engine>;
}

/**
 * The blobs' picture of a run that was fitted by regions. As a whole it is a small picture; of a part that is looked at
 * closer, the blobs of the regions that are in view are fetched and drawn, as finely as the screen can show.
 * @param small the whole picture, of any size
 * @param window through which it is looked at
 */
export function regionPicture(
  { image, regions, config }: Pick<RunDescription, "image" | "regions" | "config">,
  small: Image,
  window: PictureWindow,
  { blobs, open }: RegionSource,
): HTMLElement {
  const { list } = regions!;
  const canvas = element("canvas", { width: 1, height: 1 });
  const detail = element("div", { class: "region-detail", "aria-hidden": "true", hidden: true }, canvas);
  const status = element("p", { class: "region-status", role: "status" });
  const tell = (text: string) => say(status, text, false);
  const edges = element("input", {
    type: "checkbox",
    onchange: () => window.draw(...(edges.checked ? outlines() : [])),
  });
  const outlines = () =>
    ["region-edge dark", "region-edge"].flatMap((name) => list.map((own) => outline(name, own, image)));
  const tools = element("div", { class: "region-tools needs-script on-screen" });
  tools.append(element("label", {}, edges, "Show the regions' edges"), status);
  const size = `${count(image.width)} × ${count(image.height)}`;
  const figure = pictureFigure("The blobs' picture", "", tools);
  const frame = figure.querySelector(".picture-frame")!;
  const [whole] = frame.children;
  whole.after(detail);
  figure.classList.add("region-picture");
  figure.style.setProperty("--shape", String(image.width / image.height));
  figure.querySelector("figcaption")!.append(window);
  figure.show(small, (x, y) =>
    describe(((x + 0.5) * image.width) / small.width, ((y + 0.5) * image.height) / small.height),
  );
  figure.describe(`${size}, ${counted(list.length, "region")}`, `The picture of ${counted(config.blobs, "blob")}`);

  let source: Promise<[RegionBlobs, Engine]> | undefined;
  let opened: RegionBlobs | undefined;
  const describe = (x: number, y: number) => {
    const i = regionAt(list, x, y);
    const { width, height, blobs } = list[i];
    return `region ${i + 1} of ${list.length}: ${width} × ${height} pixels, ${counted(blobs, "blob")}`;
  };
  const tellLoaded = () => {
    const here = list.filter((_, i) => opened?.has(i));
    const sum = here.reduce((all, { blobs }) => all + blobs, 0);
    tell(
      `${here.length} of ${counted(list.length, "region")} loaded, ${count(sum)} of ${counted(config.blobs, "blob")}.`,
    );
  };

  /** What is drawn at present, and what was asked for last. */
  let drawn: ReturnType<typeof partOf>["crop"] | undefined;
  let asked: View = wholeView;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let isDrawing = false;
  let isOver = false;
  const place = () => {
    detail.hidden = !drawn || asked.zoom === 1;
    if (!drawn) return;
    const { left, top, width, height } = placeOf(drawn, image, asked);
    detail.style.transform = `translate(${100 * left}%, ${100 * top}%) scale(${width}, ${height})`;
  };
  /** Draws what was asked for last, until nothing else was asked for meanwhile. */
  const draw = async () => {
    if (isDrawing) return;
    isDrawing = true;
    let view: View | undefined;
    while (view !== asked && !isOver) {
      view = asked;
      await drawView(view).catch((error: Error) => {
        // What did not come may come when it is asked for again.
        source = opened && source;
        status.replaceChildren(failed("The blobs were not drawn", error));
      });
    }
    isDrawing = false;
    figure.ariaBusy = null;
  };
  const drawView = async (view: View) => {
    const { clientWidth, clientHeight } = frame;
    const room = (density: number) => ({ width: density * clientWidth, height: density * clientHeight });
    if (view.zoom === 1 || clientWidth === 0) return tellWhole();
    const inView = regionsIn(list, partOf(view, image, room(1)).crop);
    const many = inView.reduce((sum, i) => sum + list[i].blobs, 0);
    if (many > mostBlobs) {
      return tell(`${count(many)} blobs are in view, more than are drawn at once: come closer.`);
    }
    figure.ariaBusy = "true";
    if (inView.some((i) => !opened?.has(i))) tell(`Fetching ${counted(inView.length, "region")} …`);
    source ??= Promise.all([blobs(), open()]);
    const [own, engine] = await source;
    opened = own;
    const { crop, to } = partOf(view, image, room(engine.kind === "gpu" ? devicePixelRatio : 1));
    const picture = await drawPart(...drawnBy(engine, own), crop, to);
    if (isOver) return;
    paint(canvas, toImage(picture));
    drawn = crop;
    place();
    tellLoaded();
  };
  const tellWhole = () => {
    if (opened) tellLoaded();
    else tell(`None of ${counted(list.length, "region")} is loaded yet: come closer, and those in view are.`);
  };
  tellWhole();
  window.follow((view) => {
    asked = view;
    place();
    clearTimeout(resting);
    if (view.zoom > 1 || drawn) resting = setTimeout(draw, rest);
  });
  whenGone(figure, () => {
    isOver = true;
    clearTimeout(resting);
  });
  return figure;
}

/** What draws a run's blobs: a GPU, or the CPU engine where there is none, or a CPU plays it, which is slower. */
function drawnBy(engine: Engine, blobs: BlobsByPlace) {
  const pipeline: TrainConfig["pipeline"] = engine.kind === "gpu" ? "binned" : "cpu";
  const { size } = blobs;
  const own: BlobsByPlace = { config: { ...blobs.config, pipeline }, size, in: (box) => blobs.in(box) };
  return [engine.backend(pipeline), own] as const;
}

function outline(name: string, { x, y, width, height }: Size & { x: number; y: number }, whole: Size): SVGElement {
  const [across, down] = [whole.width, whole.height];
  return svg("rect", { class: name, x: x / across, y: y / down, width: width / across, height: height / down });
}
