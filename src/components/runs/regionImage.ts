import type { RunDescription } from "../../engine/files/runDescription.js";
import { type Image, type Size, toImage } from "../../engine/image/image.js";
import { cropBounds, drawCrop } from "../../engine/regions/draw.js";
import type { Rect } from "../../engine/regions/plan.js";
import { SerialQueue } from "../../engine/serialQueue.js";
import { drawBackend } from "../../host/browser/drawBackend.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { RegionBlobs } from "../../host/regionBlobs.js";
import { imageFigure, paint } from "../images/imageFigure.js";
import type { ImageViewport } from "../images/imageViewport.js";
import { fullView, type View } from "../images/view.js";
import { announce, element, svg } from "../page/element.js";
import { count, counted } from "../page/format.js";
import { failureText } from "../page/help.js";
import { blobsIn, positionInView, regionAt, regionsIn, visiblePart } from "./regionView.js";

/** Blobs that are drawn at once, and that stay in memory, at most. */
export const maxBlobs = 500_000;

/** Milliseconds that a view has to rest before it is drawn. */
const drawDelay = 150;

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
 * @param preview the whole picture, of any size
 * @param viewport through which it is looked at
 */
export function regionImage(
  { image, regions, config }: Pick<RunDescription, "image" | "regions" | "config">,
  preview: Image,
  viewport: ImageViewport,
  { blobs, open }: RegionSource,
): HTMLElement {
  const { list } = regions!;
  const canvas = element("canvas", { width: 1, height: 1 });
  const detail = element("div", { class: "region-detail", "aria-hidden": "true", hidden: true }, canvas);
  const status = element("p", { class: "region-status", role: "status" });
  const showStatus = (text: string) => announce(status, text, false);
  const edges = element("input", {
    type: "checkbox",
    onchange: () => viewport.draw(...(edges.checked ? outlines(list, image) : [])),
  });
  const tools = element("div", { class: "region-tools needs-script on-screen" });
  tools.append(element("label", {}, edges, "Show region borders"), status);
  const size = `${count(image.width)} × ${count(image.height)}`;
  const figure = imageFigure("Render", "", tools);
  const frame = figure.querySelector(".picture-frame")!;
  const container = element("div", { class: "picture-room" });
  const [whole] = frame.children;
  whole.after(detail);
  frame.replaceWith(container);
  container.append(frame, frame.querySelector(".picture-value")!);
  figure.classList.add("region-picture");
  figure.querySelector("figcaption")!.append(element("span", { class: "needs-script on-screen" }, viewport));
  figure.show(preview, (x, y) =>
    describe(((x + 0.5) * image.width) / preview.width, ((y + 0.5) * image.height) / preview.height),
  );
  figure.describe(`${size}, ${counted(list.length, "region")}`, `Render of ${counted(config.blobs, "blob")}`);

  let source: Promise<[RegionBlobs, Engine]> | undefined;
  let opened: RegionBlobs | undefined;
  const describe = (x: number, y: number) => {
    const i = regionAt(list, x, y);
    const { width, height, blobs } = list[i];
    return `region ${i + 1} of ${list.length}: ${width} × ${height} pixels, ${counted(blobs, "blob")}`;
  };
  const showLoaded = () => {
    const loadedRegions = list.filter((_, i) => opened?.has(i));
    const sum = loadedRegions.reduce((all, { blobs }) => all + blobs, 0);
    showStatus(
      `${loadedRegions.length} of ${counted(list.length, "region")} loaded, ${count(sum)} of ${counted(config.blobs, "blob")}.`,
    );
  };

  /** What is drawn at present, with its size on the screen, and what was asked for last. */
  let drawn: (Size & { part: Rect }) | undefined;
  let requestedView: View = fullView;
  let drawTimer: ReturnType<typeof setTimeout> | undefined;
  let hasFailed = false;
  /** Of the view that was asked for last. */
  let controller = new AbortController();
  const turns = new SerialQueue();
  const positionDetail = () => {
    detail.hidden = !drawn || requestedView.zoom === 1;
    if (!drawn) return;
    const frameBox = frame.getBoundingClientRect();
    const { left, top, width, height } = positionInView(drawn.part, image, requestedView);
    const [across, down] = [width * frameBox.width, height * frameBox.height];
    const scale = `scale(${across / drawn.width}, ${down / drawn.height})`;
    detail.style.transform = `translate(${left * frameBox.width}px, ${top * frameBox.height}px) ${scale}`;
  };
  /** Draws what is asked for now, and gives up what was asked for before. */
  const draw = async () => {
    const previous = controller;
    controller = new AbortController();
    const { signal } = controller;
    figure.ariaBusy = "true";
    hasFailed = false;
    try {
      await drawView(requestedView, previous, signal);
    } catch (error) {
      if (signal.aborted) return;
      hasFailed = true;
      // What did not come may come when it is asked for again.
      source = opened && source;
      status.ariaLive = "polite";
      status.replaceChildren(failureText("The blobs cannot be rendered", error as Error));
    } finally {
      previous.abort();
      if (!signal.aborted) figure.ariaBusy = null;
    }
  };
  const drawView = async (view: View, before: AbortController, signal: AbortSignal) => {
    const [inFrame, containerBox] = [frame, container].map((node) => node.getBoundingClientRect());
    if (view.zoom === 1 || inFrame.width === 0) return showOverview();
    const { part } = visiblePart(view, image, inFrame, containerBox);
    const visibleRegions = regionsIn(list, part);
    const blobCount = blobsIn(list, part);
    if (blobCount > maxBlobs) {
      return announce(
        status,
        `${count(blobCount)} blobs are in view, more than can be rendered at once. Zoom in.`,
        true,
      );
    }
    if (visibleRegions.some((i) => !opened?.has(i)))
      showStatus(`Fetching ${counted(visibleRegions.length, "region")} …`);
    source ??= Promise.all([blobs(), open()]);
    const [regionBlobs, engine] = await source;
    opened = regionBlobs;
    const density = engine.kind === "gpu" ? devicePixelRatio : 1;
    const { crop, to } = visiblePart(view, image, inFrame, containerBox, density);
    const loading = regionBlobs.load(cropBounds(crop), signal);
    // Only now, so that what both need comes once.
    before.abort();
    await loading;
    await turns.run(async () => {
      if (signal.aborted) return;
      const [backend, config] = drawBackend(engine, regionBlobs.config);
      const render = await drawCrop(
        backend,
        { config, size: regionBlobs.size, intersecting: (box) => regionBlobs.intersecting(box) },
        crop,
        to,
      );
      paint(canvas, toImage(render));
      // By its own size, since a frame of few pixels that is made larger is made so from a whole number of them.
      drawn = { part, width: to.width / density, height: to.height / density };
      Object.assign(detail.style, { width: `${drawn.width}px`, height: `${drawn.height}px` });
      positionDetail();
      if (!signal.aborted) showLoaded();
    });
  };
  const showOverview = () => {
    if (opened) showLoaded();
    else showStatus(`None of ${counted(list.length, "region")} is loaded yet. Zoom in to load those in view.`);
  };
  showOverview();
  const drawSoon = () => {
    clearTimeout(drawTimer);
    if (requestedView.zoom > 1 || drawn) drawTimer = setTimeout(draw, drawDelay);
  };
  viewport.follow((view) => {
    requestedView = view;
    positionDetail();
    drawSoon();
  });
  new ResizeObserver(() => {
    positionDetail();
    drawSoon();
  }).observe(container);
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
