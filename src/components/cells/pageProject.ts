import { FileAttachment } from "observablehq:stdlib";
import { addToZip } from "../../engine/files/zip.js";

/**
 * Returns a page as a Framework project that builds as it is, as a zip archive.
 * @param path the page's path from the site's root, such as "learn/undo"
 */
export async function pageProject(path: string, markdown: string): Promise<Blob> {
  // Called here, since Framework adds a library for archives to pages that only name one.
  const project = await FileAttachment("../../project.zip").arrayBuffer();
  const index = ["splatbook/src/index.md", `# splatbook\n\n[${path}](./${path})\n`] as const;
  const page = [`splatbook/src/${path}.md`, markdown] as const;
  return new Blob([addToZip(path === "index" ? [page] : [page, index], new Uint8Array(project))]);
}
