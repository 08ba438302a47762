import type { RunDescription } from "../../engine/files/runDescription.js";
import { type Image, type Size, toImage } from "../../engine/image/image.js";
import { drawnIn, drawPart } from "../../engine/regions/draw.js";
import type { Rect } from "../../engine/regions/plan.js";
import { Turns } from "../../engine/turns.js";
import { drawnBy } from "../../host/browser/drawnBy.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { RegionBlobs } from "../../host/regionBlobs.js";
import { element, say, svg } from "../page/element.js";
import { count, counted } from "../page/format.js";
import { failed } from "../page/help.js";
import { paint, pictureFigure } from "../pictures/pictureFigure.js";
import type { PictureWindow } from "../pictures/pictureWindow.js";
import { type View, wholeView } from "../pictures/view.js";
import { blobsIn, partOf, placeOf, regionAt, regionsIn } from "./regionView.js";

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
    onchange: () => window.draw(...(edges.checked ? outlines(list, image) : [])),
  });
  const tools = element("div", { class: "region-tools needs-script on-screen" });
  tools.append(element("label", {}, edges, "Show region borders"), status);
  const size = `${count(image.width)} × ${count(image.height)}`;
  const figure = pictureFigure("Render", "", tools);
  const frame = figure.querySelector(".picture-frame")!;
  const room = element("div", { class: "picture-room" });
  const [whole] = frame.children;
  whole.after(detail);
  frame.replaceWith(room);
  room.append(frame, frame.querySelector(".picture-value")!);
  figure.classList.add("region-picture");
  figure.querySelector("figcaption")!.append(element("span", { class: "needs-script on-screen" }, window));
  figure.show(small, (x, y) =>
    describe(((x + 0.5) * image.width) / small.width, ((y + 0.5) * image.height) / small.height),
  );
  figure.describe(`${size}, ${counted(list.length, "region")}`, `Render of ${counted(config.blobs, "blob")}`);

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

  /** What is drawn at present, with its size on the screen, and what was asked for last. */
  let drawn: (Size & { part: Rect }) | undefined;
  let asked: View = wholeView;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let hasFailed = false;
  /** Of the view that was asked for last. */
  let latest = new AbortController();
  const turns = new Turns();
  const place = () => {
    detail.hidden = !drawn || asked.zoom === 1;
    if (!drawn) return;
    const inFrame = frame.getBoundingClientRect();
    const { left, top, width, height } = placeOf(drawn.part, image, asked);
    const [across, down] = [width * inFrame.width, height * inFrame.height];
    const scale = `scale(${across / drawn.width}, ${down / drawn.height})`;
    detail.style.transform = `translate(${left * inFrame.width}px, ${top * inFrame.height}px) ${scale}`;
  };
  /** Draws what is asked for now, and gives up what was asked for before. */
  const draw = async () => {
    const before = latest;
    latest = new AbortController();
    const { signal } = latest;
    figure.ariaBusy = "true";
    hasFailed = false;
    try {
      await drawView(asked, before, signal);
    } catch (error) {
      if (signal.aborted) return;
      hasFailed = true;
      // What did not come may come when it is asked for again.
      source = opened && source;
      status.ariaLive = "polite";
      status.replaceChildren(failed("The blobs cannot be rendered", error as Error));
    } finally {
      before.abort();
      if (!signal.aborted) figure.ariaBusy = null;
    }
  };
  const drawView = async (view: View, before: AbortController, signal: AbortSignal) => {
    const [inFrame, inRoom] = [frame, room].map((node) => node.getBoundingClientRect());
    if (view.zoom === 1 || inFrame.width === 0) return tellWhole();
    const { part } = partOf(view, image, inFrame, inRoom);
    const inView = regionsIn(list, part);
    const many = blobsIn(list, part);
    if (many > mostBlobs) {
      return say(status, `${count(many)} blobs are in view, more than can be rendered at once. Zoom in.`, true);
    }
    if (inView.some((i) => !opened?.has(i))) tell(`Fetching ${counted(inView.length, "region")} …`);
    source ??= Promise.all([blobs(), open()]);
    const [own, engine] = await source;
    opened = own;
    const density = engine.kind === "gpu" ? devicePixelRatio : 1;
    const { crop, to } = partOf(view, image, inFrame, inRoom, density);
    const loading = own.load(drawnIn(crop), signal);
    // Only now, so that what both need comes once.
    before.abort();
    await loading;
    await turns.take(async () => {
      if (signal.aborted) return;
      const [backend, config] = drawnBy(engine, own.config);
      const picture = await drawPart(backend, { config, size: own.size, in: (box) => own.in(box) }, crop, to);
      paint(canvas, toImage(picture));
      // By its own size, since a frame of few pixels that is made larger is made so from a whole number of them.
      drawn = { part, width: to.width / density, height: to.height / density };
      Object.assign(detail.style, { width: `${drawn.width}px`, height: `${drawn.height}px` });
      place();
      if (!signal.aborted) tellLoaded();
    });
  };
  const tellWhole = () => {
    if (opened) tellLoaded();
    else tell(`None of ${counted(list.length, "region")} is loaded yet. Zoom in to load those in view.`);
  };
  tellWhole();
  const drawSoon = () => {
    clearTimeout(resting);
    if (asked.zoom > 1 || drawn) resting = setTimeout(draw, rest);
  };
  window.follow((view) => {
    asked = view;
    place();
    drawSoon();
  });
  new ResizeObserver(() => {
    place();
    drawSoon();
  }).observe(room);
  document.defaultView!.addEventListener("online", () => hasFailed && drawSoon());
  return figure;
}

/** All regions' edges as one line, however many they are, light on a dark one. */
function outlines(regions: readonly Rect[], whole: Size): SVGElement[] {
  const [across, down] = [whole.width, whole.height];
  const d = regions
    .map(({ x, y, width, height }) => {
      return `M${x / across} ${y / down}h${width / across}v${height / down}h${-width / across}z`;
    })
    .join("");
  return ["region-edge dark", "region-edge"].map((name) => svg("path", { class: name, d }));
}
