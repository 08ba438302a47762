import type { Image, Size } from "../../engine/image.js";
import type { BrowserEngine } from "../../host/browser.js";
import { decodePicture } from "../../host/pictures.js";
import { backstage } from "../backstage.js";
import { element, uniqueId } from "../element.js";
import { bytesText, count, counted, decibels } from "../format.js";
import { gallery } from "../pictures.js";
import { Wipe } from "../wipe.js";
import { drawBlobs } from "./drawBlobs.js";
import { type KeptBlobs, keptBlobs } from "./keptBlobs.js";

/** Pixels that the longer side is drawn with at most. */
const longest = 1024;

/** What is shown of kept blobs. */
interface Drawn {
  target: Image;
  image: Image;
  facts: string;
  psnr: number;
}

/** A picture of the gallery and what so many blobs made of it, with a divider; the reader chooses both. */
export function wipeFigure(engine: BrowserEngine): HTMLElement {
  const wipe = new Wipe();
  const status = element("p", { class: "wipe-status", "aria-live": "polite" });
  const drawn = new Map<KeptBlobs, Promise<Drawn>>();
  let latest: KeptBlobs | undefined;

  const show = async () => {
    const kept = keptBlobs.find(({ picture, blobs }) => picture === pictures.value && blobs === Number(numbers.value));
    if (!kept) return;
    latest = kept;
    const { alt } = gallery.find(({ name }) => name === kept.picture)!;
    const label = counted(kept.blobs, "blob");
    status.textContent = `Drawing ${label} …`;
    if (!drawn.has(kept)) drawn.set(kept, draw(engine, kept));
    try {
      const { target, image, facts, psnr } = await drawn.get(kept)!;
      // Another may have been chosen meanwhile.
      if (latest !== kept) return;
      wipe.show(
        { image: target, label: "original", alt },
        { image, label, alt: `${alt}, drawn by ${label}: ${decibels(psnr)} from the original` },
      );
      status.textContent = facts;
    } catch (error) {
      drawn.delete(kept);
      if (latest === kept) status.textContent = error instanceof Error ? error.message : String(error);
    }
  };

  const pictures = element("select", {
    id: uniqueId("wipe-picture"),
    onchange: () => {
      offerNumbers();
      void show();
    },
  });
  const numbers = element("select", { id: uniqueId("wipe-blobs"), onchange: () => void show() });
  const offerNumbers = () => {
    const before = numbers.value;
    const offered = keptBlobs.filter(({ picture }) => picture === pictures.value).map(({ blobs }) => blobs);
    numbers.replaceChildren(...offered.map((n) => element("option", { value: n }, count(n))));
    if (offered.includes(Number(before))) numbers.value = before;
  };
  const names = [...new Set(keptBlobs.map(({ picture }) => picture))];
  pictures.append(...names.map((name) => element("option", { value: name }, name)));
  offerNumbers();
  void show();
  return element(
    "figure",
    { class: "wipe" },
    element("div", { class: "wipe-choices" }, field("picture", pictures), field("blobs", numbers)),
    wipe.node,
    status,
  );
}

function field(label: string, control: HTMLElement): HTMLElement {
  return element("div", { class: "field" }, element("label", { for: control.id }, label), control);
}

async function draw(engine: BrowserEngine, { picture, blobs, file }: KeptBlobs): Promise<Drawn> {
  const { name, file: original } = gallery.find((one) => one.name === picture)!;
  const [bytes, decoded] = await Promise.all([
    file.arrayBuffer(),
    original.blob().then((blob) => decodePicture(blob, name, longest)),
  ]);
  const splat = await backstage("decodeSplat2d", new Uint8Array(bytes), `${picture} of ${count(blobs)} blobs`);
  const target = middle(decoded.image, splat.size);
  const rendered = await drawBlobs(engine, splat, target);
  const [image, quality] = await Promise.all([backstage("toImage", rendered), backstage("psnr", rendered, target)]);
  const { width, height } = splat.size;
  const bits = (8 * bytes.byteLength) / (width * height);
  const learned =
    width === target.width && height === target.height
      ? ""
      : ` They learned it at ${width} × ${height} pixels, and are drawn at ${target.width} × ${target.height}.`;
  return {
    target,
    image,
    facts: `${counted(blobs, "blob")}, ${counted(splat.config.steps, "step")}, a file of ${bytesText(bytes.byteLength)}, ${bits.toPrecision(2)} bits a pixel: ${decibels(quality)} from the original.${learned}`,
    psnr: quality,
  };
}

/** The largest middle part that has the shape of a size. */
function middle(image: Image, { width, height }: Size): Image {
  const scale = Math.min(image.width / width, image.height / height);
  const size = { width: Math.round(scale * width), height: Math.round(scale * height) };
  const left = Math.floor((image.width - size.width) / 2);
  const top = Math.floor((image.height - size.height) / 2);
  const data = new Uint8ClampedArray(4 * size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    const from = 4 * ((top + y) * image.width + left);
    data.set(image.data.subarray(from, from + 4 * size.width), 4 * y * size.width);
  }
  return { ...size, data };
}
