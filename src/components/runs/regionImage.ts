import { html, svg } from "htl";
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
import { announce } from "../page/element.js";
import { count, counted } from "../page/format.js";
import { failureText } from "../page/help.js";
import { blobsIn, positionInView, regionAt, regionsIn, visiblePart } from "./regionView.js";

/** Maximum number of blobs that are drawn at once and kept in memory. */
export const maxBlobs = 500_000;

/** Milliseconds until a changed view is drawn. */
const drawDelay = 150;

/** What the figure shows of a run. */
type RegionsDescription = Pick<RunDescription, "image" | "regions" | "config">;

/** A figure that can show a later checkpoint of the same run. The reader's view stays. */
type RegionImage = HTMLElement & { update(description: RegionsDescription, render: Image): void };

/** The parts of an engine that draw blobs. */
type Engine = Pick<BrowserEngine, "kind" | "description" | "backend">;

/** The blobs of an image and the engine that draws them. Both are opened at the first zoom. */
export interface RegionSource {
  blobs(): Promise<RegionBlobs>;
  open(): Promise<Engine>;
}

/**
 * Returns the render of a run in regions. The whole render is a small image. When the reader zooms in, the blobs of the
 * visible regions are fetched and drawn at the resolution of the screen.
 * @param preview the whole render, of any size
 * @param viewport zooms and pans the figure
 * @param from absent for a run that has not ended
 */
export function regionImage(
  description: RegionsDescription,
  preview: Image,
  viewport: ImageViewport,
  from: RegionSource | undefined,
): RegionImage {
  const { image, config } = description;
  let { list } = description.regions!;
  const canvas = html<HTMLCanvasElement>`<canvas width="1" height="1"></canvas>`;
  const detail = html`<div class="region-detail" aria-hidden="true" hidden>${canvas}</div>`;
  const status = html`<p class="region-status" role="status"></p>`;
  const showStatus = (text: string) => announce(status, text, false);
  const onchange = () => viewport.draw(...(edges.checked ? outlines(list, image) : []));
  const edges = html<HTMLInputElement>`<input type="checkbox" onchange=${onchange}>`;
  const tools = html`<div class="region-tools needs-script on-screen">
    <label>${edges}Show region borders</label>${status}
  </div>`;
  const size = `${count(image.width)} × ${count(image.height)}`;
  const figure = imageFigure("Render", "", tools);
  const frame = figure.querySelector(".image-frame")!;
  const container = html`<div class="image-area"></div>`;
  const [whole] = frame.children;
  whole.after(detail);
  frame.replaceWith(container);
  container.append(frame, frame.querySelector(".image-value")!);
  figure.classList.add("region-image");
  figure.querySelector("figcaption")!.append(html`<span class="needs-script on-screen">${viewport}</span>`);
  const showWhole = (render: Image) =>
    figure.show(render, (x, y) =>
      describe(((x + 0.5) * image.width) / render.width, ((y + 0.5) * image.height) / render.height),
    );
  showWhole(preview);
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

  /** The drawn part with its size on the screen. */
  let drawn: (Size & { part: Rect }) | undefined;
  let requestedView: View = fullView;
  let drawTimer: ReturnType<typeof setTimeout> | undefined;
  let hasFailed = false;
  /** Aborts the work on the requested view. */
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
  /** Draws the requested view, and aborts the work on the previous one. */
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
      // If the source failed to open, the next view opens it again.
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
    if (view.zoom === 1 || inFrame.width === 0 || !from) return showOverview();
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
    source ??= Promise.all([from.blobs(), from.open()]);
    const [regionBlobs, engine] = await source;
    opened = regionBlobs;
    const density = engine.kind === "gpu" ? devicePixelRatio : 1;
    const { crop, to } = visiblePart(view, image, inFrame, containerBox, density);
    const loading = regionBlobs.load(cropBounds(crop), signal);
    // Aborted only now, so regions that both views need are fetched once.
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
      // Its own size, since a small frame scales from a whole number of pixels.
      drawn = { part, width: to.width / density, height: to.height / density };
      Object.assign(detail.style, { width: `${drawn.width}px`, height: `${drawn.height}px` });
      positionDetail();
      if (!signal.aborted) showLoaded();
    });
  };
  const showOverview = () => {
    if (opened) showLoaded();
    else if (from) showStatus("This is a preview. Zoom in to render the blobs in view.");
    else showStatus("This is a preview. The blobs can be rendered once the run has ended.");
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
  return Object.assign(figure, {
    update({ regions }: RegionsDescription, render: Image) {
      list = regions!.list;
      showWhole(render);
    },
  });
}

/** Returns the borders of all regions as one light path over a dark one. */
function outlines(regions: readonly Rect[], whole: Size): SVGElement[] {
  const [across, down] = [whole.width, whole.height];
  const borders = regions.map(
    ({ x, y, width, height }) => `M${x / across} ${y / down}h${width / across}v${height / down}h${-width / across}z`,
  );
  return ["region-edge dark", "region-edge"].map((name) => svg`<path class=${name} d=${borders.join("")}></path>`);
}
