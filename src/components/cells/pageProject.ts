import { FileAttachment } from "observablehq:stdlib";
import { addToZip } from "../../engine/files/zip.js";
import type { ChosenImage } from "../../host/browser/images.js";
import { gallery } from "../images/gallery.js";

/** Returns the path of an image from the folder of a project, which contains the gallery. */
export function imageFile({ inGallery, name }: ChosenImage): string {
  const image = gallery.find((image) => image.name === inGallery);
  return image ? `src/data/images/${image.file.name}` : name;
}

/**
 * Returns a page as a project for Framework, Notebook Kit and Jupyter, as a zip archive.
 * @param path the page's path from the site's root, such as "learn/undo"
 * @param kit the page for Notebook Kit
 * @param jupyter the page for Jupyter
 */
export async function pageProject(path: string, markdown: string, kit: string, jupyter: string): Promise<Blob> {
  // Called here, since Framework adds a library for archives to pages that only name one.
  const project = await FileAttachment("../../project.zip").arrayBuffer();
  const index = ["splatbook/src/index.md", `# splatbook\n\n[${path}](./${path})\n`] as const;
  const page = [
    [`splatbook/${path.split("/").at(-1)}.ipynb`, jupyter],
    [`splatbook/src/${path}.html`, kit],
    [`splatbook/src/${path}.md`, markdown],
  ] as const;
  return new Blob([addToZip(path === "index" ? page : [...page, index], new Uint8Array(project))]);
}
