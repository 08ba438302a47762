import { html } from "htl";
import { ConfigError, completeConfig } from "../../engine/config.js";
import { toSingleLine } from "../../engine/quoted.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { ChosenImage } from "../../host/browser/images.js";
import { decodeImage } from "../../host/browser/images.js";
import { Field } from "../inputs/field.js";
import { oneTabStop, showTabStop } from "../inputs/oneTabStop.js";
import { showError } from "../page/help.js";
import { followReader } from "../page/reader.js";
import { gallery, galleryFile, thumbnailOf } from "./gallery.js";
import { paint } from "./imageFigure.js";

/** An input for `view`. Its value is the chosen image. */
export type ImagePicker = HTMLElement & {
  /** Undefined until the first image is decoded. */
  value: ChosenImage | undefined;
  /** The file of the image. */
  readonly file: Blob | undefined;
  /** Pixels of the longer side, at most. */
  readonly longest: number;
  /** A message that the first image is not in the gallery, until another image is chosen. */
  readonly missing?: HTMLElement;
  /** Chooses a gallery image. Returns false if there is none of that name. */
  chooseFromGallery(name: string, longest?: number): boolean;
  chooseFile(file: File): void;
  /** Chooses a decoded image. Its file is decoded again for another size. */
  take(image: ChosenImage, file: Blob): void;
};

/** The origin of an image. */
interface Source {
  name: string;
  inGallery?: string;
  file(): Promise<{ file: Blob; name: string }>;
}

const sizes = [64, 96, 128, 192, 256, 384, 512, 768, 1024];
const fullSize = 100_000;

/**
 * Returns an input that chooses an image: from the gallery, from a file that is dropped, picked or pasted, or by its URL.
 * @param first name of the initial gallery image; none if undefined
 * @param longest initial maximum of the longer side in pixels; larger images are reduced
 */
export function imagePicker(engine: BrowserEngine, first: string | undefined, longest: number): ImagePicker {
  let source: Source | undefined;
  let chosenFile: Blob | undefined;
  let attempts = 0;
  const status = html`<p class="quiet" role="status" aria-label="Status of the image"></p>`;
  const showStatus = (text: string, isWrong = false) => {
    if (isWrong) showError(status, text, "An image cannot be read");
    else status.textContent = text;
    status.classList.toggle("wrong", isWrong);
  };

  const size = html<HTMLSelectElement>`<select onchange=${() => void choose(source)}>
    ${sizes.map((pixels) => html`<option value=${pixels}>at most ${pixels} pixels</option>`)}
    <option value=${fullSize}>full size</option>
  </select>`;
  const setLongest = (pixels: number) => {
    const value = String(pixels);
    if (![...size.options].some((option) => option.value === value)) {
      size.append(new Option(`at most ${pixels} pixels`, value));
    }
    size.value = value;
  };
  setLongest(longest);

  const choose = async (next: Source | undefined): Promise<void> => {
    if (!next) return;
    const attempt = ++attempts;
    const statusTimer = setTimeout(() => showStatus(`Reading ${next.name} …`), 150);
    try {
      const { file, name } = await next.file();
      const decoded = await decodeImage(file, name, Number(size.value));
      if (attempt !== attempts) return;
      checkSize(engine, decoded.image);
      accept(next, { ...decoded, name, inGallery: next.inGallery }, file);
    } catch (error) {
      if (attempt === attempts) showStatus((error as Error).message, true);
    } finally {
      clearTimeout(statusTimer);
    }
  };
  const accept = (from: Source, image: ChosenImage, file: Blob) => {
    source = from;
    chosenFile = file;
    if (from !== substitute) missing?.remove();
    root.value = image;
    showStatus(describe(image));
    if (!from.inGallery) showOwn(from, image);
    for (const button of buttons) button.ariaPressed = String(button.value === from.inGallery);
    own.ariaPressed = String(!from.inGallery);
    showTabStop(galleryNode);
    root.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const showOwn = (from: Source, { image, name }: ChosenImage) => {
    const canvas = html<HTMLCanvasElement>`<canvas>`;
    paint(canvas, image);
    own.replaceChildren(canvas, html`<span>${name}</span>`);
    own.onclick = () => void choose(from);
    galleryNode.append(own);
  };
  const chooseFile = (file: File | undefined) => {
    if (file) void choose({ name: file.name, file: async () => ({ file, name: file.name }) });
  };
  const fromGallery = (name: string): Source | undefined => {
    const image = gallery.find((candidate) => candidate.name === name);
    return image && { name, inGallery: name, file: async () => ({ file: await galleryFile(image), name }) };
  };

  const isMissing = first !== undefined && fromGallery(first) === undefined;
  const substitute = isMissing ? fromGallery(gallery[0].name) : undefined;
  const missing = isMissing ? html`<p class="wrong" role="status"></p>` : undefined;

  const buttons = gallery.map((galleryImage) => {
    const { name, alt } = galleryImage;
    const image = html<HTMLImageElement>`<img alt=${alt} draggable="false">`;
    void thumbnailOf(galleryImage).then((url) => (image.src = url));
    const onclick = () => void choose(fromGallery(name));
    return html<HTMLButtonElement>`<button
      type="button" class="thumbnail quiet" value=${name} title=${alt} aria-pressed="false" onclick=${onclick}
    >${image}<span>${name}</span></button>`;
  });
  // The reader's latest image.
  const own = html<HTMLButtonElement>`<button type="button" class="thumbnail quiet"></button>`;
  const onchange = () => {
    chooseFile(fileInput.files?.[0]);
    // Lets the reader pick the same file again.
    fileInput.value = "";
  };
  const fileInput = html<HTMLInputElement>`<input
    type="file" accept="image/*" class="visually-hidden" onchange=${onchange}
  >`;
  const row = html`<div class="grid grid-cols-2">
    <label class="drop">${fileInput}<span><strong>Drop</strong> or <strong>paste</strong> an image, or <u>pick a file</u></span></label>
    ${new Field("Training size", "Fewer pixels train faster.", size).node}
  </div>`;
  const galleryNode = html`<div class="gallery" role="group" aria-label="Images">${buttons}</div>`;
  oneTabStop(galleryNode);
  const listeners = {
    // Only the picker itself has images as its value.
    oninput: (event: Event) => event.target !== root && event.stopImmediatePropagation(),
    ondragover: (event: DragEvent) => {
      event.preventDefault();
      root.classList.add("dragged-over");
    },
    ondragleave: () => root.classList.remove("dragged-over"),
    ondrop: (event: DragEvent) => {
      event.preventDefault();
      root.classList.remove("dragged-over");
      const file = event.dataTransfer?.files[0];
      if (file) chooseFile(file);
      else showStatus("Only files can be dropped here. Download an image of another page first.", true);
    },
  };
  const root = html<ImagePicker>`<div class="picker" ${listeners}>${galleryNode}${row}${status}</div>`;
  const controller = new AbortController();
  const paste = (event: ClipboardEvent) => {
    if (!root.isConnected) controller.abort();
    // A text field takes the text of the clipboard, which may contain an image too.
    else if (!(event.target as Element).closest(":read-write"))
      chooseFile([...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith("image/")));
  };
  followReader({ paste }, controller.signal);

  Object.defineProperty(root, "longest", { get: () => Number(size.value) });
  Object.defineProperty(root, "file", { get: () => chosenFile });
  root.chooseFromGallery = (name, pixels) => {
    const next = fromGallery(name);
    if (next && pixels) setLongest(pixels);
    void choose(next);
    return next !== undefined;
  };
  root.chooseFile = chooseFile;
  root.take = (chosen, file) => {
    attempts++;
    const { name, inGallery, image } = chosen;
    const gallerySource = inGallery === undefined ? undefined : fromGallery(inGallery);
    if (gallerySource) setLongest(Math.max(image.width, image.height));
    accept(gallerySource ?? { name, file: async () => ({ file, name }) }, chosen, file);
  };
  if (first === undefined) return root;
  if (missing) showError(missing, missingText(first), "An image cannot be read");
  void choose(substitute ?? fromGallery(first)).then(() => {
    if (substitute && source === substitute) showStatus(missingText(first), true);
  });
  return Object.assign(root, { missing });
}

function missingText(name: string): string {
  return `The image ${toSingleLine(name)} is not in the gallery, and a link does not carry images: ${gallery[0].name} is trained instead. To train yours, drop or pick its file under “Image”.`;
}

function describe({ name, image, original }: ChosenImage): string {
  const pixels = ({ width, height }: { width: number; height: number }) => `${width} × ${height}`;
  const isReduced = image.width !== original.width || image.height !== original.height;
  return isReduced
    ? `${name}, ${pixels(original)} pixels, is trained at ${pixels(image)}.`
    : `${name} is trained at its full ${pixels(image)} pixels.`;
}

/** @throws Error if the adapter cannot train an image of this size */
function checkSize(engine: BrowserEngine, size: { width: number; height: number }): void {
  const [pipeline] = engine.pipelines;
  try {
    engine.backend(pipeline).check(completeConfig({ pipeline, blobs: 1, tile: [1, 1], gaussiansPerBlock: 2 }), size);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new Error(`The ${error.message} Choose a smaller training size.`);
  }
}
