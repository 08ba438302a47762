import type { Table } from "apache-arrow";
import { html } from "htl";
import { writeConfigFile } from "../../engine/files/configFile.js";
import { saveFile } from "../../host/browser/saveFile.js";
import { setText } from "../page/element.js";
import { count, counted } from "../page/format.js";
import { arrowFile } from "../tables/arrowTable.js";
import { updateWhileShown } from "../training/follow.js";
import type { Inspection } from "../training/readbacks.js";
import type { Run } from "../training/run.js";
import { runInWorker } from "../worker/runInWorker.js";

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
    contents: async (run, inspection) => {
      const { splat2dFile } = await import("./splat2dFile.js");
      return blobOf(await splat2dFile(run, inspection));
    },
  },
  {
    file: "config.json",
    describe: () => "all settings",
    contents: ({ config, target }) => new Blob([writeConfigFile(config, target)], { type: "application/json" }),
  },
];

/**
 * Returns a button that saves a table of a run as an Arrow file.
 * @param moment the inspection that the table shows; otherwise the file has the step of the run at the click
 */
export function tableFile(
  name: "parameters" | "gradients",
  table: Table,
  run: Run,
  moment: Inspection | null,
): HTMLElement {
  const { node, offer } = fileButton(`${name}.arrow`);
  const current = async () => {
    if (moment || !(await run.inspect())) return table;
    return (await run[name]().next()).value ?? table;
  };
  offer(counted(table.numRows, "row"), async () => arrowBlob(arrowFile(await current())));
  return node;
}

/** Returns buttons that save a run's files, as they are at the click. */
export function runFiles(run: Run): HTMLElement {
  const buttons = downloads.map((download) => ({ download, button: fileButton(download.file) }));
  const node = html`<div class="facts">${buttons.map(({ button }) => button.node)}</div>`;
  void updateWhileShown(run, node, () => {
    const { inspection } = run;
    for (const { download, button } of inspection ? buttons : [])
      button.offer(download.describe(run, inspection!), async () =>
        download.contents(run, (await run.inspect()) ?? inspection!),
      );
  });
  return node;
}

/** Returns a button that saves a file, with a note on its contents, and a function that offers them. */
function fileButton(file: string) {
  let contents: () => Blob | Promise<Blob>;
  const note = html`<small>–</small>`;
  const save = async () => saveFile(file, await contents());
  const node = html<HTMLButtonElement>`<button type="button" class="quiet" disabled onclick=${save}><span class="link">${file}</span> ${note}</button>`;
  const offer = (text: string, next: () => Blob | Promise<Blob>) => {
    setText(note, text);
    contents = next;
    node.disabled = false;
  };
  return { node, offer };
}
