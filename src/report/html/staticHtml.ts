import { JSDOM } from "jsdom";
import type { Image } from "../../engine/image/image.js";
import { encodePng, encodeWebp } from "../../host/node/imageFile.js";

/** The browser's globals that components use. */
const browserNames = ["window", "document", "Node", "NodeList", "HTMLCollection", "ImageData"] as const;

/**
 * Returns the initial content of components as HTML that needs no script, with canvases as img elements.
 * @param draw returns the components; this process has the browser's globals until it returns
 * @param addresses addresses of images; other images are embedded
 */
export async function staticHtml(draw: () => Node[], addresses: ReadonlyMap<Image["data"], string>): Promise<string> {
  const { window } = new JSDOM();
  const drawnImages = new Map<HTMLCanvasElement, Image>();
  window.HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement) {
    return { putImageData: (image: Image) => drawnImages.set(this, image) };
  } as never;
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
  };
  const { body } = window.document;
  Object.assign(globalThis, browser);
  try {
    body.append(...draw());
  } finally {
    for (const name of browserNames) delete (globalThis as Record<string, unknown>)[name];
  }
  for (const canvas of body.querySelectorAll("canvas")) {
    const image = drawnImages.get(canvas);
    if (image) canvas.replaceWith(await staticImage(canvas, image, addresses.get(image.data)));
  }
  for (const shape of body.querySelectorAll("svg *")) shortenNumbers(shape);
  // Without the indentation of templates.
  const html = body.innerHTML.replace(/>\s*\n\s*</g, "><");
  window.close();
  return html;
}

/** Truncates coordinates to a tenth of a pixel. Their digits are most of a chart's text. */
function shortenNumbers(shape: Element): void {
  for (const name of ["d", "x", "y", "width", "height", "x1", "x2", "y1", "y2", "transform"]) {
    const value = shape.getAttribute(name);
    if (value) shape.setAttribute(name, value.replace(/\.(\d)\d+/g, ".$1"));
  }
}

/** Returns an img element that shows and describes the same as a canvas. */
async function staticImage(canvas: HTMLCanvasElement, image: Image, address?: string): Promise<HTMLImageElement> {
  const node = canvas.ownerDocument.createElement("img");
  // jsdom checks a value of `src` character by character, and addresses are megabytes long.
  node.setAttribute("src", address ?? (await imageAddress(image)));
  node.alt = canvas.ariaLabel ?? "";
  node.className = canvas.className;
  node.setAttribute("style", `aspect-ratio: ${image.width} / ${image.height}`);
  return node;
}

/** Longest side of the images in a one-file report, in pixels. Larger ones are reduced to it. */
export const longestSide = 1600;

/**
 * Returns a data URL of an image: a PNG, or a WebP with small losses if it has the size of a reduced image.
 * @param png file of an image that was not reduced
 */
export async function imageAddress(image: Image, png?: Uint8Array): Promise<string> {
  const isReduced = !png && Math.max(image.width, image.height) === longestSide;
  const bytes = png ?? (await (isReduced ? encodeWebp : encodePng)(image));
  return `data:image/${isReduced ? "webp" : "png"};base64,${Buffer.from(bytes).toString("base64")}`;
}
