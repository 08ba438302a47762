import { JSDOM } from "jsdom";
import type { Image } from "../../engine/image/image.js";
import { encodePng } from "../../host/node/imageFile.js";

/** Pixels that a chart is drawn wide: a chart among many, and any other. One that finds less room shrinks. */
const chartWidths = { ".distributions": 330, ".chart-frame": 440 };

/** What components ask of a browser. */
const browserNames = [
  "window",
  "document",
  "Node",
  "NodeList",
  "HTMLCollection",
  "ImageData",
  "ResizeObserver",
] as const;

/**
 * Components as the HTML of what they show at first, which needs no script: charts are SVG, and canvases become images.
 * @param draw makes the components; until it returns, this process looks like a browser to them
 * @param addresses where pictures are to be found; any other is written into the HTML
 * @param omitted selects what stays empty, charts' frames or tables; nothing unless given
 */
export async function staticHtml(
  draw: () => Node[],
  addresses: ReadonlyMap<Image["data"], string>,
  omitted = ":not(*)",
): Promise<string> {
  const { window } = new JSDOM();
  const drawnImages = new Map<HTMLCanvasElement, Image>();
  const resizeCallbacks: (() => void)[] = [];
  window.HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement) {
    return { putImageData: (image: Image) => drawnImages.set(this, image) };
  } as never;
  // There is no layout.
  Object.defineProperty(window.Element.prototype, "clientWidth", {
    get(this: Element) {
      if (this.matches(omitted)) return 0;
      return Object.entries(chartWidths).find(([place]) => this.closest(place))?.[1] ?? 0;
    },
  });
  const browser: Record<(typeof browserNames)[number], unknown> = {
    window,
    document: window.document,
    Node: window.Node,
    NodeList: window.NodeList,
    HTMLCollection: window.HTMLCollection,
    ImageData: class implements Image {
      constructor(
        readonly data: Image["data"],
        readonly width: number,
        readonly height: number,
      ) {}
    },
    ResizeObserver: class {
      constructor(readonly draw: (entries: { contentRect: { width: number } }[]) => void) {}
      observe(target: Element) {
        resizeCallbacks.push(() => this.draw([{ contentRect: { width: target.clientWidth } }]));
      }
    },
  };
  const { body } = window.document;
  Object.assign(globalThis, browser);
  try {
    body.append(...draw());
    for (const place of body.querySelectorAll(omitted)) place.replaceChildren();
    for (const resize of resizeCallbacks) resize();
  } finally {
    for (const name of browserNames) delete (globalThis as Record<string, unknown>)[name];
  }
  for (const canvas of body.querySelectorAll("canvas")) {
    const image = drawnImages.get(canvas);
    if (image) canvas.replaceWith(await staticImage(canvas, image, addresses.get(image.data)));
  }
  for (const shape of body.querySelectorAll("svg *")) shortenNumbers(shape);
  const html = body.innerHTML;
  window.close();
  return html;
}

/** Where a shape lies, to a hundredth of a pixel: Plot tells it with all digits, which are most of a chart's text. */
function shortenNumbers(shape: Element): void {
  for (const name of ["d", "x", "y", "width", "height", "x1", "x2", "y1", "y2", "transform"]) {
    const value = shape.getAttribute(name);
    if (value) shape.setAttribute(name, value.replace(/\.(\d\d)\d+/g, ".$1"));
  }
}

/** An image in the place of a canvas, which says the same of itself. */
async function staticImage(canvas: HTMLCanvasElement, picture: Image, address?: string): Promise<HTMLImageElement> {
  const image = canvas.ownerDocument.createElement("img");
  // jsdom checks what is assigned to `src` character by character, and addresses are megabytes long.
  image.setAttribute("src", address ?? pngAddress(await encodePng(picture)));
  image.alt = canvas.ariaLabel ?? "";
  image.className = canvas.className;
  image.setAttribute("style", `aspect-ratio: ${picture.width} / ${picture.height}`);
  return image;
}

/** A PNG file as an address that holds it. */
export function pngAddress(png: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
}
