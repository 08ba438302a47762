import type { Table } from "apache-arrow";
import { html } from "htl";
import { writeConfigFile } from "../../engine/files/configFile.js";
import { saveFile } from "../../host/browser/saveFile.js";
import { whenUnused } from "../inputs/usedNodes.js";
import { setText } from "../page/element.js";
import { count, counted } from "../page/format.js";
import { arrowFile } from "../tables/arrowTable.js";
import { updateWhileShown } from "../training/follow.js";
import type { Inspection, Run } from "../training/run.js";
import { runInWorker } from "../worker/runInWorker.js";
import { splat2dFile } from "./splat2dFile.js";

interface Download {
  file: string;
  /** Returns a summary of the contents. */
  describe(run: Run, inspection: Inspection): string;
  contents(run: Run, inspection: Inspection): Blob | Promise<Blob>;
}

const blobOf = (bytes: Uint8Array, type = "application/octet-stream") =>
  new Blob([bytes as Uint8Array<ArrayBuffer>], { type });
const arrowBlob = (bytes: Uint8Array) => blobOf(bytes, "application/vnd.apache.arrow.file");

const downloads: Download[] = [
  {
    file: "metrics.arrow",
    describe: ({ measured }) => counted(measured.length, "row"),
    contents: async ({ config, measured }) => arrowBlob(await runInWorker("metricsFile", config, measured)),
  },
  {
    file: "render.png",
    describe: (_, { render, state }) => `${render.width} × ${render.height}, step ${count(state.step)}`,
    contents: (_, { render }) => runInWorker("png", render),
  },
  {
    file: "blobs.splat2d",
    describe: ({ config }) => `${counted(config.blobs, "blob")}, quantized`,
    contents: async (run, inspection) => blobOf(await splat2dFile(run, inspection)),
  },
  {
    file: "config.json",
    describe: () => "all settings",
    contents: ({ config, target }) => new Blob([writeConfigFile(config, target)], { type: "application/json" }),
  },
];

/** Buttons that save a run's files. */
export type Downloads = HTMLElement & {
  /** Offers tables as Arrow files, by their names. A click saves the table that the page shows. */
  show(tables: Record<string, Table>): void;
};

/** Returns buttons that save the run's current files. `show` gives it the tables, such as parameters and gradients. */
export function downloadButtons(run: Run): Downloads {
  const tableButtons = new Map<string, FileButton>();
  const node = html<Downloads>`<div class="downloads"></div>`;
  const buttonOf = (name: string) => {
    const button = tableButtons.get(name) ?? new FileButton(`${name}.arrow`);
    if (!tableButtons.has(name))
      [...tableButtons.values()].at(-1)?.node.after(button.node) ?? node.prepend(button.node);
    tableButtons.set(name, button);
    return button;
  };
  for (const name of ["parameters", "gradients"]) buttonOf(name);
  const latest = new Map<string, Table>();
  const offer = async (name: string, table: Table) => {
    latest.set(name, table);
    const button = buttonOf(name);
    // The page keeps showing a table while the reader uses it, and the file is the table on the page.
    await whenUnused(table.schema.fields.map(({ name }) => name));
    if (latest.get(name) !== table) return;
    const step = table.schema.metadata.get("step") ?? table.getChild("step")?.get(table.numRows - 1);
    const description = step === undefined ? "" : `, step ${count(Number(step))}`;
    button.offer(counted(table.numRows, "row") + description, () => arrowBlob(arrowFile(table)));
  };
  node.show = (tables) => {
    for (const [name, table] of Object.entries(tables)) void offer(name, table);
  };
  const runButtons = downloads.map((download) => ({ download, button: new FileButton(download.file) }));
  node.append(...runButtons.map(({ button }) => button.node));
  void updateWhileShown(run, node, () => {
    const { inspection } = run;
    for (const { download, button } of runButtons) {
      if (inspection)
        button.offer(download.describe(run, inspection), () => download.contents(run, run.inspection ?? inspection));
      else button.withdraw();
    }
  });
  return node;
}

/** A button that saves a file, with a summary of its contents. */
class FileButton {
  readonly node: HTMLButtonElement;
  readonly #note = html`<small></small>`;
  #contents: () => Blob | Promise<Blob> = () => new Blob();

  constructor(file: string) {
    const onclick = async () => saveFile(file, await this.#contents());
    this.node = html`<button type="button" class="download" onclick=${onclick}><span>${file}</span>${this.#note}</button>`;
    this.withdraw();
  }

  offer(description: string, contents: () => Blob | Promise<Blob>): void {
    setText(this.#note, description);
    this.#contents = contents;
    this.node.disabled = false;
  }

  withdraw(): void {
    setText(this.#note, "–");
    this.node.disabled = true;
  }
}
