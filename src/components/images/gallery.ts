import { type AttachedFile, FileAttachment } from "observablehq:stdlib";
import { startDecoder } from "../../host/browser/images.js";

/** An image of the site. */
export interface GalleryImage {
  name: string;
  /** Alternative text. */
  alt: string;
  file: AttachedFile;
}

/** The images in data/images. Framework needs each path as a literal. */
export const gallery: GalleryImage[] = [
  { name: "astronaut", alt: "An astronaut in an orange suit", file: FileAttachment("../../data/images/astronaut.png") },
  { name: "coffee", alt: "A cup of coffee on a wooden table", file: FileAttachment("../../data/images/coffee.png") },
  { name: "chelsea", alt: "The face of a ginger cat", file: FileAttachment("../../data/images/chelsea.png") },
  { name: "camera", alt: "A man behind a camera, in grey", file: FileAttachment("../../data/images/camera.png") },
  { name: "rocket", alt: "A rocket on its launch pad", file: FileAttachment("../../data/images/rocket.jpg") },
  { name: "retina", alt: "The back of an eye", file: FileAttachment("../../data/images/retina.jpg") },
  { name: "hubble", alt: "Galaxies in a dark sky", file: FileAttachment("../../data/images/hubble-deep-field.jpg") },
];

const files = new Map<GalleryImage, Promise<Blob>>();

/** Returns the file of a gallery image, which is fetched once. */
export function galleryFile(image: GalleryImage): Promise<Blob> {
  const file = files.get(image) ?? image.file.blob();
  files.set(image, file);
  file.catch(() => files.delete(image));
  return file;
}

/** Fetches a gallery image, and starts the worker that decodes it, while the page opens the engine. */
export function preloadImage(name: string): void {
  const image = gallery.find((candidate) => candidate.name === name);
  if (image) galleryFile(image).catch(() => {});
  startDecoder();
}

const thumbnails = FileAttachment("../../thumbnails.json");
let thumbnailUrls: Promise<unknown> | undefined;

/** Returns the URL of a gallery image's thumbnail. */
export async function thumbnailOf({ file }: GalleryImage): Promise<string> {
  thumbnailUrls ??= thumbnails.json();
  return ((await thumbnailUrls) as Record<string, string>)[file.name];
}
