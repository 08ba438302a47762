import { FileAttachment } from "observablehq:stdlib";
import { addToZip } from "../../engine/files/zip.js";
import type { ChosenImage } from "../../host/browser/images.js";
import { gallery } from "../images/gallery.js";
import type { Run } from "../training/run.js";
import type { CellList } from "./cellList.js";
import { pagePath } from "./importModule.js";
import { editedCells, writeJupyter, writeNotebookKit } from "./pageFormats.js";
import { writePage } from "./pageSource.js";

/** A file that contains the page with the reader's edits. */
interface PageFile {
  label: string;
  name: string;
  contents(): string | Blob | Promise<Blob>;
}

/** Returns the files in which a page can be downloaded. Their contents are those of the time when they are written. */
export function pageFiles(list: CellList): PageFile[] {
  const { markdown, ids, notebook } = list;
  const path = pagePath();
  const name = path.split("/").at(-1)!;
  const page = () => ({
    title: document.title.replace(/ \| splatbook$/, ""),
    cells: editedCells(markdown, ids, list.edits()),
  });
  const edited = () => writePage(markdown, ids, list.edits());
  const kit = () => writeNotebookKit(page(), ids);
  const jupyter = () => {
    const { config, target } = (notebook.values().get("run") ?? {}) as Partial<Run>;
    return writeJupyter(page(), config && target && { config, target, file: imageFile(target) });
  };
  /** Returns the page as a project for Framework, Notebook Kit and Jupyter, as a zip archive. */
  const project = async () => {
    // Called here, since Framework adds a library for archives to pages that only name one.
    const base = await FileAttachment("../../project.zip").arrayBuffer();
    const files: (readonly [string, string])[] = [
      [`splatbook/${name}.ipynb`, jupyter()],
      [`splatbook/src/${path}.html`, kit()],
      [`splatbook/src/${path}.md`, edited()],
    ];
    if (path !== "index") files.push(["splatbook/src/index.md", `# splatbook\n\n[${path}](./${path})\n`]);
    return new Blob([addToZip(files, new Uint8Array(base))]);
  };
  return [
    { label: "Project (.zip)", name: `${name}.zip`, contents: project },
    { label: "Markdown (.md)", name: `${name}.md`, contents: edited },
    { label: "Notebook Kit (.html)", name: `${name}.html`, contents: kit },
    { label: "Jupyter notebook for Deno (.ipynb)", name: `${name}.ipynb`, contents: jupyter },
  ];
}

/** Returns the path of an image from the folder of a project, which contains the gallery. */
function imageFile({ inGallery, name }: ChosenImage): string {
  const image = gallery.find((image) => image.name === inGallery);
  return image ? `src/data/images/${image.file.name}` : name;
}
